import { byTheChain } from '../../src/giving/budgets/personal.ts';
import type { Queryable } from '../../src/ground/database/database.ts';
import { declaredData } from '../../src/insight/rights/declared.ts';

/** Where any of these texts stands in the database: table, and the row as text. Every column of every row is looked at. */
export async function findTraces(
  on: Queryable,
  texts: readonly string[],
): Promise<{ table: string; text: string; row: string }[]> {
  const tables = await on.query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = current_schema() and table_type = 'BASE TABLE' order by 1`,
  );
  const found: { table: string; text: string; row: string }[] = [];
  for (const { name } of tables) {
    const rows = await on.query<{ text: string; row: string }>(
      `select text, row::text
         from (select to_jsonb(t) as row from ${name} t) rows
         join unnest($1::text[]) as text on position(lower(text) in lower(row::text)) > 0`,
      [texts],
    );
    found.push(...rows.map((row) => ({ table: name, ...row })));
  }
  return found;
}

const keptFor = (...reasons: string[]) =>
  declaredData
    .filter(({ columns }) =>
      Object.values(columns).some((column) => column.isPersonal && reasons.includes(column.stays ?? '')),
    )
    .map(({ table }) => table);

/** Tables with columns that stay for some years by law, or because hashes cover them. */
export const keptTables = keptFor('tax law', byTheChain);
/** Those that still have such columns when the years are over. */
export const alwaysKeptTables = keptFor(byTheChain);
