import { type Database, queryOne } from './database.ts';

/** What a server does with the rows of a large table, in bytes of the table a second. */
export interface Speed {
  /** Reads them and sorts them for an index. */
  read: number;
  /** Writes them again. */
  written: number;
  /** Whether it was measured on this server. Otherwise it is what an ordinary disk does. */
  isMeasured: boolean;
}

const usual: Speed = { read: 20e6, written: 4e6, isMeasured: false };

/** About 20 MB: a second or so, and too large for the cache of the processor. */
const probeRows = 80_000;

/** Measures the server with a temporary table, which is gone afterwards. Nothing else is written. */
export async function measureSpeed(database: Database): Promise<Speed> {
  const { mayMeasure } = await queryOne<{ mayMeasure: boolean }>(
    database,
    `select has_database_privilege(current_database(), 'temp') and not pg_is_in_recovery() as "mayMeasure"`,
  );
  if (!mayMeasure) return usual;
  return database.transaction(async (tx) => {
    const time = async (sql: string) => {
      const began = performance.now();
      await tx.query(sql, [], 'once');
      return (performance.now() - began) / 1_000;
    };
    await time(
      `create temporary table speed_probe on commit drop as
       select gen_random_uuid() as id, n as number, repeat(md5(n::text), 6) as text from generate_series(1, ${probeRows}) n`,
    );
    const { bytes } = await queryOne<{ bytes: number }>(
      tx,
      `select pg_table_size('speed_probe')::float8 as bytes`,
      [],
      'once',
    );
    const read = bytes / (await time('create index on speed_probe (id)'));
    const written = bytes / (await time('update speed_probe set number = number + 1'));
    return { read, written, isMeasured: true };
  });
}
