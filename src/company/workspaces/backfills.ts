import { type Database, type Queryable, queryOne, queryOptional } from '../../ground/database/database.ts';

/** Fills rows for a new schema in the background, while nodes of two versions serve. */
export interface Backfill {
  /** Never used for another one. */
  name: string;
  /** The table whose rows it goes through, to say about how many there are. */
  table: string;
  /**
   * Fills at most `most` rows of a workspace whose keys come after a key, in the sequence of their keys, and returns how many and the last key. Null: there
   * are no more. Rows that are filled already, by a node of this version, stay as they are.
   */
  fill(tx: Queryable, workspaceId: number, after: string | null, most: number): Promise<Filled | null>;
}

export interface Filled {
  rows: number;
  last: string;
}

/** The pause between two batches: the disk and the standbys keep up. */
export const backfillEveryMs = 200;

/** Where nothing is left to do, or other nodes do it: how long until the next look. */
const restMs = 60_000;

/** So few that a batch takes milliseconds: writers of the same rows wait for it. */
const batchRows = 500;

/**
 * Runs the next batch of the first backfill that has not ended and that no other node works on. A batch and the note of how far it has come are one
 * transaction, so that a crash repeats nothing and leaves nothing out. Returns the name, or null if there is nothing to do.
 */
export async function runBackfill(
  database: Database,
  backfills: readonly Backfill[],
  most = batchRows,
): Promise<string | null> {
  if (backfills.length === 0) return null;
  await begin(database, backfills);
  let claimed: string | null = null;
  try {
    return await database.transaction(async (tx) => {
      const next = await claim(tx, backfills);
      claimed = next?.backfill.name ?? null;
      if (next) await runBatch(tx, next, most);
      return claimed;
    });
  } catch (error) {
    if (claimed !== null) await noteFailure(database, claimed, error);
    throw error;
  }
}

/** For recurring work: a batch each time, and no statement while there is nothing to do. */
export function runBackfills(database: Database, backfills: readonly Backfill[]): () => Promise<void> {
  let restsUntil = Number.NEGATIVE_INFINITY;
  return async () => {
    if (performance.now() < restsUntil) return;
    if ((await runBackfill(database, backfills)) === null) restsUntil = performance.now() + restMs;
  };
}

async function begin(database: Queryable, backfills: readonly Backfill[]): Promise<void> {
  await database.query(
    `insert into background_migrations (name, rows_expected, started_at)
     select name, rows, clock_timestamp() from (${expectedSql}) expected
         on conflict do nothing`,
    expectedOf(backfills),
  );
}

/** About how many rows each backfill goes through. */
const expectedSql = `
  select b.name, greatest(c.reltuples, 0)::float8 as rows
    from unnest($1::text[], $2::text[]) as b (name, tablename)
    join pg_class c on c.oid = to_regclass(b.tablename)`;

function expectedOf(backfills: readonly Backfill[]): [names: string[], tables: string[]] {
  return [backfills.map(({ name }) => name), backfills.map(({ table }) => table)];
}

interface Claimed {
  backfill: Backfill;
  workspaceId: number;
  after: string | null;
}

/** The lock of its row lasts as long as the transaction: one node works on it at a time. */
async function claim(tx: Queryable, backfills: readonly Backfill[]): Promise<Claimed | null> {
  const row = await queryOptional<{ name: string; workspaceId: number; after: string | null }>(
    tx,
    `select name, workspace_id as "workspaceId", after_key as after
       from background_migrations
      where name = any($1::text[]) and finished_at is null
      order by array_position($1::text[], name)
      limit 1
        for update skip locked`,
    [backfills.map(({ name }) => name)],
  );
  const backfill = backfills.find(({ name }) => name === row?.name);
  return row && backfill ? { backfill, workspaceId: row.workspaceId, after: row.after } : null;
}

async function runBatch(tx: Queryable, { backfill, workspaceId, after }: Claimed, most: number): Promise<void> {
  const at = after === null ? await nextWorkspace(tx, workspaceId) : workspaceId;
  if (at === null) {
    await tx.query(
      'update background_migrations set finished_at = clock_timestamp(), failures = 0, failure = null where name = $1',
      [backfill.name],
    );
    return;
  }
  const filled = await backfill.fill(tx, at, after, most);
  await tx.query(
    `update background_migrations
        set workspace_id = $2, after_key = $3, rows_done = rows_done + $4, failures = 0, failure = null
      where name = $1`,
    [backfill.name, at, filled?.last ?? null, filled?.rows ?? 0],
  );
}

async function nextWorkspace(tx: Queryable, after: number): Promise<number | null> {
  const { id } = await queryOne<{ id: number | null }>(tx, 'select min(id) as id from workspaces where id > $1', [
    after,
  ]);
  return id;
}

/** The code alone: a message may name a person. */
async function noteFailure(database: Queryable, name: string, error: unknown): Promise<void> {
  const code = String((error as { code?: string }).code ?? 'unknown');
  await database.query('update background_migrations set failures = failures + 1, failure = $2 where name = $1', [
    name,
    code,
  ]);
}

export interface BackfillState {
  name: string;
  rowsDone: number;
  rowsExpected: number;
  isFinished: boolean;
  failures: number;
  failure: string | null;
}

/** How far those that have begun have come, the latest first. */
export function readBackfills(database: Queryable): Promise<BackfillState[]> {
  return database.query<BackfillState>(
    `select name, rows_done as "rowsDone", rows_expected as "rowsExpected", finished_at is not null as "isFinished", failures, failure
       from background_migrations
      order by started_at desc, name`,
  );
}

/** For the metrics. */
export async function summarizeBackfills(
  database: Queryable,
): Promise<{ unfinished: number; rows: number; failures: number }> {
  return queryOne(
    database,
    `select count(*) filter (where finished_at is null) as unfinished,
            coalesce(sum(rows_done), 0)::float8         as rows,
            coalesce(sum(failures), 0)::float8          as failures
       from background_migrations`,
  );
}

/** What is left of them, and about how long it takes. */
export async function planBackfills(
  database: Queryable,
  backfills: readonly Backfill[],
): Promise<{ name: string; rows: number; seconds: number }[]> {
  const { hasTable } = await queryOne<{ hasTable: boolean }>(
    database,
    `select to_regclass('background_migrations') is not null as "hasTable"`,
  );
  const known = hasTable ? await readBackfills(database) : [];
  const expected = await database.query<{ name: string; rows: number }>(expectedSql, expectedOf(backfills));
  return backfills.flatMap(({ name }) => {
    const state = known.find((one) => one.name === name);
    if (state?.isFinished) return [];
    const rows = expected.find((one) => one.name === name)?.rows ?? 0;
    const open = Math.max(0, rows - (state?.rowsDone ?? 0));
    return [{ name, rows: open, seconds: Math.round(((open / batchRows) * backfillEveryMs) / 1_000) }];
  });
}
