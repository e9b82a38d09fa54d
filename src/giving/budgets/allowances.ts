import { startOfDay } from '../../company/workspaces/days.ts';
import { inEachWorkspace } from '../../company/workspaces/each.ts';
import { inWorkspace, momentOf, timeOf } from '../../company/workspaces/lock.ts';
import { seal } from '../../company/workspaces/seals.ts';
import type { Database, Queryable } from '../../ground/database/database.ts';
import { lapseNext } from './lapse.ts';
import { announceLevels } from './levels.ts';
import { nextPeriod, periodName } from './periods.ts';
import { refill } from './refill.ts';
import { budgetRecord } from './sealed.ts';

/** The number of budgets that get theirs in one transaction. Orders that draw on these wait for it, and so do other writers of the workspace. */
const atOnce = 10;

/**
 * Lets money lapse and grants the allowances that are due, in every workspace. Under the workspace's lock, so that each comes once by any number of
 * nodes; those that were due while no node ran come too. Returns how many there were.
 */
export async function beginDuePeriods(database: Database): Promise<number> {
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

/**
 * Begins one period of each of these budgets where one is due: what is left of the last one lapses, if the budget says so, then the allowance is granted. The caller
 * holds the workspace's lock. Returns how many lapsed and were granted.
 */
export async function grantNext(tx: Queryable, workspaceId: number, budgetIds: readonly number[]): Promise<number> {
  const lapsed = await lapseNext(tx, workspaceId, budgetIds);
  const due = await takeDue(tx, workspaceId, budgetIds);
  for (const { id, amount, period } of due) await refill(tx, workspaceId, id, 'ALLOTTED', { amount, note: period });
  await announceLevels(tx, workspaceId, momentOf(tx, workspaceId), lapsed);
  await seal(tx, workspaceId, { record: budgetRecord, keys: [...lapsed, ...due.map(({ id }) => id)] });
  return lapsed.length + due.length;
}

const dueSql = `
  select b.workspace_id as "workspaceId", array_agg(b.id::float8 order by b.id) as "budgetIds"
    from budgets b
    join activity_counters a using (workspace_id)
   where b.next_allowance_at <= ${timeOf('a')}
      or b.lapses_at <= ${timeOf('a')}
   group by b.workspace_id`;

interface Due {
  id: number;
  amount: number;
  period: string;
}

/** The next period begins where the workspace is. Budgets are locked in the order of their ids, as orders lock them. */
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
        set next_allowance_at = ${startOfDay(nextPeriod('b.next_allowance_at', 'b.allowance_every'), 'w.time_zone')}
       from due, workspaces w
      where b.workspace_id = $1
        and b.id = due.id
        and w.id = $1
     returning b.id, b.allowance as amount,
               ${periodName(`(b.next_allowance_at at time zone w.time_zone) - ('1 ' || b.allowance_every)::interval`, 'b.allowance_every')} as period`,
    [workspaceId, budgetIds, momentOf(tx, workspaceId)],
  );
}
