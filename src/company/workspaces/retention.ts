import { type Database, type Queryable, queryOne, queryOptional } from '../../ground/database/database.ts';
import type { RetentionKind } from '../../ground/values/retention-kinds.ts';

/** What a workspace says about one kind of record. */
interface Kept {
  /** Names it in settings. Several declarations have the same kind if a workspace sets one number of days for all of them. */
  kind: RetentionKind;
  /** Names its runs: another of the same kind, or one that the release before must not run, has a name of its own. */
  runsAs?: string;
  /** How long it is kept unless the workspace has set it; null: as long as the workspace exists. */
  usualDays: number | null;
  leastDays: number;
  mostDays?: number;
  /** What is removed. */
  what: string;
  /** Why it is kept, and for so long. */
  why: string;
  /** It has the same texts as another declaration of this kind, so counts leave it out. */
  isCopy?: true;
}

/** Rows of one table that are removed, or lose their texts, when they are old. The module that writes the table declares it, and knows what still needs a row. */
export interface RowRetention extends Kept {
  table: string;
  /** The columns of an index behind workspace_id, with their types, by which old rows are found one after the other. */
  key: readonly (readonly [column: string, type: string])[];
  /** Holds for rows `t` that can be old, and for all rows before them in the index: the search ends there. $2 is the moment before which a row is old. */
  isReached: string;
  /** Holds for a row `t` that is removed. */
  isRemovable: string;
  /** What a removable row becomes, as assignments of an update of `t`, after which it is not removable. Absent: the row goes. */
  becomes?: string;
  /** Holds for a row `t` that the next passes remove, for the preview; absent: as `isRemovable`. */
  isExpected?: string;
  /** How many rows a batch looks at, if they are larger than usual. */
  batchRows?: number;
  /** Runs at the end of a pass, with the moment before which rows were old. True: another pass begins at once. */
  afterPass?: (tx: Queryable, workspaceId: number, before: string) => Promise<boolean>;
}

/** Records that one statement cannot remove. */
export interface OwnRetention extends Kept {
  countDue: (on: Queryable, workspaceId: number, before: string) => Promise<number>;
  /** Removes the next records before a moment. `after` is where the batch before has ended. */
  removeDue: (tx: Queryable, workspaceId: number, before: string, after: string | null) => Promise<Removed>;
}

export type Retention = RowRetention | OwnRetention;

/** For `isReached`: holds for rows `t` of orders that were accepted before $2: the ids of orders begin with the time. */
export const isOfOldOrder = `
  t.request_id < (lpad(to_hex((extract(epoch from $2::timestamptz) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid`;

/** So few that a batch takes milliseconds. It takes no lock of the workspace. */
const batchRows = 500;

/** Of rows that lose their texts, which are written again with their indexes: a request that needs one of them waits for some milliseconds. */
const changedRows = 100;

/** Writes down what has to be looked through. Run from time to time: there are new workspaces. */
export async function beginRetention(database: Queryable, retentions: readonly Retention[]): Promise<void> {
  await database.query(
    `insert into retention_runs (workspace_id, kind, next_at)
     select w.id, k.kind, now()
       from workspaces w
      cross join unnest($1::text[]) as k (kind)
         on conflict do nothing`,
    [retentions.map(runOf)],
  );
}

export function runOf({ kind, runsAs = kind }: Retention): string {
  return runsAs;
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
    const isOver = batch.next === null && !batch.hasMore;
    await tx.query(
      `update retention_runs
          set after_key = $3, removed = removed + $4,
              next_at = case when $5 then now() + interval '1 day' else now() end
        where workspace_id = $1
          and kind = $2`,
      [workspaceId, runOf(retention), batch.next, batch.removed, isOver],
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
    [retentions.map(runOf)],
  );
  const retention = retentions.find((one) => runOf(one) === row?.kind);
  return row && retention ? { ...row, retention } : null;
}

export interface Removed {
  removed: number;
  /** The key after which the next batch begins; null: all rows have been looked through. */
  next: string | null;
  /** Another pass begins at once. */
  hasMore: boolean;
}

const nothing: Removed = { removed: 0, next: null, hasMore: false };

async function removeBatch(
  tx: Queryable,
  retention: Retention,
  workspaceId: number,
  days: number,
  after: string | null,
  most: number,
): Promise<Removed> {
  const before = await momentBefore(tx, days);
  if ('removeDue' in retention) return retention.removeDue(tx, workspaceId, before, after);
  return removeRows(
    tx,
    retention,
    workspaceId,
    before,
    after,
    Math.min(most, retention.batchRows ?? (retention.becomes ? changedRows : most)),
  );
}

async function removeRows(
  tx: Queryable,
  retention: RowRetention,
  workspaceId: number,
  before: string,
  after: string | null,
  most: number,
): Promise<Removed> {
  const values = [workspaceId, before, most, ...(after === null ? [] : [after])];
  const { seen, removed, last } = await queryOne<{ seen: number; removed: number; last: string | null }>(
    tx,
    removeSql(retention, after !== null),
    values,
  );
  const isPassOver = seen < most;
  const hasMore = isPassOver && ((await retention.afterPass?.(tx, workspaceId, before)) ?? false);
  return { removed, next: isPassOver ? null : last, hasMore };
}

/** By the database's clock. */
export async function momentBefore(on: Queryable, days: number): Promise<string> {
  const sql = 'select (now() - make_interval(days => $1::int))::text as moment';
  return (await queryOne<{ moment: string }>(on, sql, [days])).moment;
}

// Rows that are kept are passed over by their key, so no batch looks at the rows of another one. The condition is there twice: after the removal
// has waited for the lock of a row, PostgreSQL compares it with the row as it is then. A row that loses its texts and is locked by another
// transaction is left to the next pass, so no two transactions wait for each other.
function removeSql({ table, key, isReached, isRemovable, becomes }: RowRetention, continues: boolean): string {
  const columns = key.map(([column]) => `t.${column}`).join(', ');
  const place = key.map(([, type], nth) => `($4::jsonb ->> ${nth})::${type}`).join(', ');
  const isSame = (of: string) => key.map(([column]) => `t.${column} = ${of}.${column}`).join(' and ');
  const goes = `case when seen.goes then (${isRemovable}) else false end`;
  return `
    with seen as materialized (
      select ${columns}, (${isRemovable}) as goes
        from ${table} t
       where t.workspace_id = $1
         ${continues ? `and (${columns}) > (${place})` : ''}
         and ${isReached}
       order by ${columns}
       limit $3::int
    ),${
      becomes
        ? `
    locked as materialized (
      select ${columns}
        from ${table} t
        join seen on ${isSame('seen')}
       where t.workspace_id = $1
         and ${goes}
         for no key update of t skip locked
    ),`
        : ''
    }
    removal as (
      ${becomes ? `update ${table} t set ${becomes} from locked` : `delete from ${table} t using seen`}
       where t.workspace_id = $1
         and ${becomes ? isSame('locked') : `${isSame('seen')} and ${goes}`}
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

export function daysOf({ kind, usualDays }: Retention, settings: RetentionSettings): number | null {
  const days = settings[kind];
  return days === undefined ? usualDays : days;
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
