import type { Queryable } from '../../src/ground/database/database.ts';

/** The rows of every table, and its columns, keys and indexes. Without those rows that follow from a backup and a restore. */
export async function readWhole(database: Queryable): Promise<Record<string, unknown>> {
  const tables = await database.query<{ name: string; form: unknown }>(
    `select c.relname as name,
            json_build_object(
              'columns', (select json_agg(json_build_array(a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull) order by a.attname)
                            from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped),
              'indexes', (select json_agg(pg_get_indexdef(indexrelid) order by indexrelid::regclass::text)
                            from pg_index where indrelid = c.oid and indisvalid),
              'constraints', (select json_agg(json_build_array(conname, pg_get_constraintdef(oid)) order by conname)
                                from pg_constraint where conrelid = c.oid and contype <> 'n')) as form
       from pg_class c
      where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
      order by c.relname`,
  );
  const whole: Record<string, unknown> = {};
  for (const { name, form } of tables) {
    const rows = await database.query<{ text: string }>(`select t::text as text from ${name} t order by 1`);
    whole[name] = { form, rows: ['histories', 'backups'].includes(name) ? [] : rows.map(({ text }) => text) };
  }
  return whole;
}
