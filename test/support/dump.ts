import type { Queryable } from '../../src/ground/database/database.ts';

/** Every row of every table as text. */
export async function dumpTables(database: Queryable): Promise<string> {
  const tables = await database.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name
       from pg_tables
      where schemaname not in ('pg_catalog', 'information_schema')`,
  );
  const texts: string[] = [];
  for (const { name } of tables) {
    const rows = await database.query<{ text: string }>(`select t::text as text from ${name} as t`);
    texts.push(name, ...rows.map(({ text }) => text));
  }
  return texts.join('\n');
}
