import { startOfDay } from '../../company/workspaces/days.ts';
import { inEachWorkspace } from '../../company/workspaces/each.ts';
import { inWorkspace, momentOf, timeOf } from '../../company/workspaces/lock.ts';
import { seal } from '../../company/workspaces/seals.ts';
import type { Database, Queryable } from '../../ground/database/database.ts';
import { refill } from './grants.ts';
import { budgetRecord } from './sealed.ts';

/** The number of budgets that get theirs in one transaction. Orders that draw on these wait for it, and so do other writers of the workspace. */
const atOnce = 10;

/**
 * Grants the allowances that are due, in every workspace. Under the workspace's lock, so that each is granted once by any number of
 * nodes; those that were due while no node ran are granted too. Returns how many there were.
 */
export async function grantDueAllowances(database: Database): Promise<number> {
  const due = await database.query<{ workspaceId: number; budgetIds: number[] }>(dueSql);
  let granted = 0;
  await inEachWorkspace(due, async ({ workspaceId, budgetIds }) => {
    for (let at = 0; at < budgetIds.length; at += atOnce) {
      const some = budgetIds.slice(at, at + atOnce);
      let latest: number;
      // One period after the other, if several were missed.
      do {
        latest = await inWorkspace(database, workspaceId, (tx) => grantNext(tx, workspaceId, some));
        granted += latest;
      } while (latest > 0);
    }
  });
  return granted;
}

/** Grants one period to each of these budgets where one is due. The caller holds the workspace's lock. */
export async function grantNext(tx: Queryable, workspaceId: number, budgetIds: readonly number[]): Promise<number> {
  const due = await takeDue(tx, workspaceId, budgetIds);
  for (const { id, amount, period } of due) await refill(tx, workspaceId, id, 'ALLOTTED', { amount, note: period });
  await seal(tx, workspaceId, { record: budgetRecord, keys: due.map(({ id }) => id) });
  return due.length;
}

const dueSql = `
  select b.workspace_id as "workspaceId", array_agg(b.id::float8 order by b.id) as "budgetIds"
    from budgets b
    join activity_counters a using (workspace_id)
   where b.next_allowance_at <= ${timeOf('a')}
   group by b.workspace_id`;

interface Due {
  id: number;
  amount: number;
  period: string;
}

const nextPeriod = `
  date_trunc(lower(b.allowance_every), (b.next_allowance_at at time zone w.time_zone) + interval '26 hours')
    + ('1 ' || b.allowance_every)::interval`;

/**
 * The next period begins where the workspace is. A workspace may have moved since the time was computed: a beginning in one time zone
 * is up to 26 hours away from the same beginning in another, and still stands for that period. Budgets are locked in the order of
 * their ids, as orders lock them.
 */
function takeDue(tx: Queryable, workspaceId: number, budgetIds: readonly number[]): Promise<Due[]> {
  return tx.query<Due>(
    `with due as (
       select id
         from budgets
        where workspace_id = $1
          and id = any($2::bigint[])
          and next_allowance_at <= $3::timestamptz
        order by id
          for no key update
     )
     update budgets b
        set next_allowance_at = ${startOfDay(nextPeriod, 'w.time_zone')}
       from due, workspaces w
      where b.workspace_id = $1
        and b.id = due.id
        and w.id = $1
     returning b.id, b.allowance as amount,
               to_char((b.next_allowance_at at time zone w.time_zone) - ('1 ' || b.allowance_every)::interval,
                       case b.allowance_every when 'MONTH' then 'YYYY-MM' else 'YYYY' end) as period`,
    [workspaceId, budgetIds, momentOf(tx, workspaceId)],
  );
}
