import type { Actor } from '../../ground/contract/actor.ts';
import { type Database, type Queryable, queryOne, queryOptional } from '../../ground/database/database.ts';
import { Failure } from '../../ground/errors.ts';
import { audit } from './audit.ts';
import { noWorkspace } from './workspaces.ts';

/** Rows of one table that are removed when they are old. The module that writes the table declares it, and knows what still needs a row. */
export interface Retention {
  /** Names it in settings. Never used for other rows. */
  kind: string;
  table: string;
  /** The columns of an index behind workspace_id, with their types, by which old rows are found one after the other. */
  key: readonly (readonly [column: string, type: string])[];
  /** Holds for rows `t` that can be old, and for all rows before them in the index: the search ends there. $2 is the moment before which a row is old. */
  isReached: string;
  /** Holds for a row `t` that is removed. */
  isRemovable: string;
  /** How long rows are kept unless the workspace has set it; null: as long as the workspace exists. */
  usualDays: number | null;
  leastDays: number;
  /** What is removed, and why it may be. */
  what: string;
}

/** For `isReached`: holds for rows `t` of orders that were accepted before $2: the ids of orders begin with the time. */
export const isOfOldOrder = `
  t.request_id < (lpad(to_hex((extract(epoch from $2::timestamptz) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid`;

/** The most that a workspace can set: a hundred years. */
const mostDays = 36_500;

/** So few that a batch takes milliseconds. It takes no lock of the workspace. */
const batchRows = 500;

/** Writes down what has to be looked through. Run from time to time: there are new workspaces. */
export async function beginRetention(database: Queryable, retentions: readonly Retention[]): Promise<void> {
  await database.query(
    `insert into retention_runs (workspace_id, kind, next_at)
     select w.id, k.kind, now()
       from workspaces w
      cross join unnest($1::text[]) as k (kind)
         on conflict do nothing`,
    [retentions.map(({ kind }) => kind)],
  );
}

export interface Batch {
  kind: string;
  removed: number;
}

/**
 * Removes the next batch of rows that are old. A batch and the note of how far it has come are one transaction: nodes share the work, and a crash
 * repeats nothing. When a workspace's table has been looked through, it is due again a day later. Null: nothing is due.
 */
export function runRetention(
  database: Database,
  retentions: readonly Retention[],
  most = batchRows,
): Promise<Batch | null> {
  return database.transaction(async (tx) => {
    const due = await claim(tx, retentions);
    if (!due) return null;
    const { retention, workspaceId, after, settings } = due;
    const days = daysOf(retention, settings);
    const batch = days === null ? nothing : await removeBatch(tx, retention, workspaceId, days, after, most);
    await tx.query(
      `update retention_runs
          set after_key = $3, removed = removed + $4,
              next_at = case when $3::text is null then now() + interval '1 day' else now() end
        where workspace_id = $1
          and kind = $2`,
      [workspaceId, retention.kind, batch.next, batch.removed],
    );
    return { kind: retention.kind, removed: batch.removed };
  });
}

interface Due {
  retention: Retention;
  workspaceId: number;
  after: string | null;
  settings: RetentionSettings;
}

/** The lock of its row lasts as long as the transaction: one node works on it at a time. */
async function claim(tx: Queryable, retentions: readonly Retention[]): Promise<Due | null> {
  const row = await queryOptional<Omit<Due, 'retention'> & { kind: string }>(
    tx,
    `select r.workspace_id as "workspaceId", r.kind, r.after_key as after, w.retention as settings
       from retention_runs r
       join workspaces w on w.id = r.workspace_id
      where r.next_at <= now()
        and r.kind = any($1::text[])
      order by r.next_at
      limit 1
        for update of r skip locked`,
    [retentions.map(({ kind }) => kind)],
  );
  const retention = retentions.find(({ kind }) => kind === row?.kind);
  return row && retention ? { ...row, retention } : null;
}

interface Removed {
  removed: number;
  /** The key after which the next batch begins; null: all rows have been looked through. */
  next: string | null;
}

const nothing: Removed = { removed: 0, next: null };

async function removeBatch(
  tx: Queryable,
  retention: Retention,
  workspaceId: number,
  days: number,
  after: string | null,
  most: number,
): Promise<Removed> {
  const values = [workspaceId, await momentBefore(tx, days), most, ...(after === null ? [] : [after])];
  const { seen, removed, last } = await queryOne<{ seen: number; removed: number; last: string | null }>(
    tx,
    removeSql(retention, after !== null),
    values,
  );
  return { removed, next: seen < most ? null : last };
}

/** By the database's clock. */
async function momentBefore(on: Queryable, days: number): Promise<string> {
  const sql = 'select (now() - make_interval(days => $1::int))::text as moment';
  return (await queryOne<{ moment: string }>(on, sql, [days])).moment;
}

// Rows that are kept are passed over by their key, so no batch looks at the rows of another one. The condition is there twice: after the removal
// has waited for the lock of a row, PostgreSQL compares it with the row as it is then.
function removeSql({ table, key, isReached, isRemovable }: Retention, continues: boolean): string {
  const columns = key.map(([column]) => `t.${column}`).join(', ');
  const place = key.map(([, type], nth) => `($4::jsonb ->> ${nth})::${type}`).join(', ');
  return `
    with seen as materialized (
      select ${columns}, (${isRemovable}) as goes
        from ${table} t
       where t.workspace_id = $1
         ${continues ? `and (${columns}) > (${place})` : ''}
         and ${isReached}
       order by ${columns}
       limit $3::int
    ),
    removal as (
      delete from ${table} t
       using seen
       where t.workspace_id = $1
         and ${key.map(([column]) => `t.${column} = seen.${column}`).join(' and ')}
         and case when seen.goes then (${isRemovable}) else false end
      returning 1
    )
    select (select count(*) from seen)    as seen,
           (select count(*) from removal) as removed,
           (select jsonb_build_array(${columns})::text
              from seen t
             order by ${key.map(([column]) => `t.${column} desc`).join(', ')}
             limit 1)                     as last`;
}

/** The days that a workspace has set, by kind. A kind that is not named is kept as long as usual; null: as long as the workspace exists. */
export type RetentionSettings = Readonly<Record<string, number | null>>;

function daysOf({ kind, usualDays }: Retention, settings: RetentionSettings): number | null {
  const days = settings[kind];
  return days === undefined ? usualDays : days;
}

export interface RetentionState {
  kind: string;
  what: string;
  days: number | null;
  isUsual: boolean;
  /** How many rows have been removed so far. */
  removed: number;
}

export async function readRetention(
  on: Queryable,
  retentions: readonly Retention[],
  workspaceId: number,
): Promise<RetentionState[]> {
  const settings = await readRetentionSettings(on, workspaceId);
  const runs = await on.query<{ kind: string; removed: number }>(
    'select kind, removed from retention_runs where workspace_id = $1',
    [workspaceId],
  );
  return retentions.map((retention) => ({
    kind: retention.kind,
    what: retention.what,
    days: daysOf(retention, settings),
    isUsual: settings[retention.kind] === undefined,
    removed: runs.find(({ kind }) => kind === retention.kind)?.removed ?? 0,
  }));
}

async function readRetentionSettings(on: Queryable, workspaceId: number): Promise<RetentionSettings> {
  const row = await queryOptional<{ retention: RetentionSettings }>(
    on,
    'select retention from workspaces where id = $1',
    [workspaceId],
  );
  if (!row) throw noWorkspace(workspaceId);
  return row.retention;
}

/** How many rows the next run would remove, by kind. */
export async function previewRetention(
  on: Queryable,
  retentions: readonly Retention[],
  workspaceId: number,
): Promise<{ kind: string; rows: number }[]> {
  const settings = await readRetentionSettings(on, workspaceId);
  const counts: { kind: string; rows: number }[] = [];
  for (const retention of retentions) {
    const days = daysOf(retention, settings);
    const rows = days === null ? 0 : await countOld(on, retention, workspaceId, days);
    counts.push({ kind: retention.kind, rows });
  }
  return counts;
}

async function countOld(on: Queryable, retention: Retention, workspaceId: number, days: number): Promise<number> {
  const { table, isReached, isRemovable } = retention;
  const { rows } = await queryOne<{ rows: number }>(
    on,
    `select count(*) as rows from ${table} t where t.workspace_id = $1 and ${isReached} and ${isRemovable}`,
    [workspaceId, await momentBefore(on, days)],
  );
  return rows;
}

/** Sets how long a workspace keeps a kind: a number of days, null for as long as the workspace exists, `usual` for the default. */
export async function setRetention(
  tx: Queryable,
  actor: Actor,
  retentions: readonly Retention[],
  { workspaceId, kind, days }: { workspaceId: number; kind: string; days: number | null | 'usual' },
): Promise<void> {
  const retention = retentions.find((one) => one.kind === kind);
  if (!retention)
    throw new Failure(
      'invalid',
      `${kind} is always kept. Choose one of: ${retentions.map((one) => one.kind).join(', ')}.`,
    );
  if (typeof days === 'number' && (days < retention.leastDays || days > mostDays))
    throw new Failure('invalid', `${kind} can be kept for ${retention.leastDays} to ${mostDays} days.`);
  const before = await readRetentionSettings(tx, workspaceId);
  if (days === 'usual' ? before[kind] === undefined : before[kind] === days) return;
  await tx.query(
    `update workspaces
        set retention = case when $3::jsonb is null then retention - $2::text
                             else retention || jsonb_build_object($2::text, $3::jsonb) end
      where id = $1`,
    [workspaceId, kind, days === 'usual' ? null : JSON.stringify(days)],
  );
  // The next pass begins at once, with the rows that were kept before.
  await tx.query('update retention_runs set next_at = now(), after_key = null where workspace_id = $1 and kind = $2', [
    workspaceId,
    kind,
  ]);
  await audit(tx, { workspaceId, actor, action: 'settings.changed', detail: { retention: { [kind]: days } } });
}

/** For the metrics. */
export async function countRemoved(on: Queryable): Promise<{ removed: number; overdueSeconds: number }> {
  return queryOne(
    on,
    `select coalesce(sum(removed), 0)::float8                                                   as removed,
            greatest(coalesce(extract(epoch from now() - min(next_at)), 0), 0)::float8          as "overdueSeconds"
       from retention_runs`,
  );
}
