import { type Database, type Queryable, queryOptional } from '../database/database.ts';
import { inEachWorkspace } from '../workspaces/each.ts';
import { inWorkspace, momentOf } from '../workspaces/lock.ts';
import { postLines } from './books.ts';
import { type GiftLine, returnGifts } from './gift-entries.ts';
import { refill } from './grants.ts';
import { announceLevels } from './levels.ts';

/** So many gifts of a workspace are caught up in one transaction. */
const batchSize = 500;

/**
 * Posts what nodes of the version before the ledger did to gifts while they still ran: they end gifts and let them be claimed again
 * without entries. It looks only at gifts whose log says that something happened to them since the upgrade, and only for a week:
 * a state that somebody changes with SQL must stay a fault that `verify` names. Returns how many gifts there were.
 */
export async function catchUpGifts(database: Database): Promise<number> {
  if (!(await isUpgradeNew(database))) return 0;
  let caughtUp = 0;
  const workspaces = await database.transaction((tx) =>
    joinAll(tx, () => tx.query<{ workspaceId: number }>(workspacesSql)),
  );
  await inEachWorkspace(workspaces, async ({ workspaceId }) => {
    let some: number;
    do {
      some = await inWorkspace(database, workspaceId, (tx) => catchUpSome(tx, workspaceId));
      caughtUp += some;
    } while (some === batchSize);
  });
  return caughtUp;
}

/** `run_on` has no time zone: hence a day more here, and below. */
async function isUpgradeNew(database: Database): Promise<boolean> {
  const found = await queryOptional(
    database,
    `select from migrations where name = '0015_money' and run_on > localtimestamp - interval '8 days'`,
  );
  return found !== null;
}

/** These statements compare all gifts that moved with all their entries: row by row, that would take time with the square of them. */
async function joinAll<T>(tx: Queryable, read: () => Promise<T>): Promise<T> {
  const set = (value: string) => tx.query(`select set_config('enable_hashjoin', $1, true)`, [value]);
  await set('on');
  const found = await read();
  await set('off');
  return found;
}

interface Missing extends GiftLine {
  isEnded: boolean;
}

async function catchUpSome(tx: Queryable, workspaceId: number): Promise<number> {
  const missing = await joinAll(tx, () => tx.query<Missing>(missingSql, [workspaceId, batchSize]));
  const moment = momentOf(tx, workspaceId);
  const [ended, revived] = [true, false].map((is) => missing.filter(({ isEnded }) => isEnded === is).map(lineOf));
  await returnGifts(tx, workspaceId, moment, ended as GiftLine[]);
  await payRevived(tx, workspaceId, moment, revived as GiftLine[]);
  return missing.length;
}

function lineOf({ requestId, position, amount }: Missing): GiftLine {
  return { requestId, position, amount };
}

/** These gifts can be claimed already, so they are paid. What a budget lacks for them is granted to it, in an entry that says why. */
async function payRevived(
  tx: Queryable,
  workspaceId: number,
  moment: string,
  gifts: readonly GiftLine[],
): Promise<void> {
  const short = await tx.query<{ budgetId: number; amount: number }>(shortSql, [
    workspaceId,
    gifts.map(({ requestId }) => requestId),
    gifts.map(({ amount }) => amount),
  ]);
  const note = 'Gifts were extended while the version before still ran.';
  for (const { budgetId, amount } of short) await refill(tx, workspaceId, budgetId, 'GRANTED', { amount, note });
  await announceLevels(tx, workspaceId, moment, await postLines(tx, workspaceId, moment, 'REVIVED', gifts));
}

/** Locks the budgets first, because acceptance draws on them without the workspace's lock. */
const shortSql = `
  with gifts as (
    select o.budget_id as id, sum(gift.amount) as cost
      from unnest($2::uuid[], $3::numeric[]) as gift (request_id, amount)
      join order_budgets o on o.workspace_id = $1 and o.request_id = gift.request_id
     group by o.budget_id
  ),
  books as (
    select b.id, b.available from budgets b where b.workspace_id = $1 and b.id in (select id from gifts) order by b.id for update
  )
  select id as "budgetId", cost - available as amount
    from books
    join gifts using (id)
   where cost > available`;

const isEnded = `c.state in ('EXPIRED', 'CANCELLED')`;

/** Gifts whose log has moved since the upgrade, and whose entries do not say what their state says. */
function missing(condition: string): string {
  return `(
    select distinct workspace_id, request_id, position
      from gift_log
     where type in ('EXPIRED', 'CANCELLED', 'EXTENDED')
       and at > (select run_on - interval '1 day' from migrations where name = '0015_money')
       ${condition}
  ) moved
  join certificates c using (workspace_id, request_id, position)
  left join (
    select e.workspace_id, line.request_id, line.position,
           sum(case e.type when 'RETURNED' then line.amount else -line.amount end) as amount
      from ledger_entries e
     cross join unnest(e.requests, e.positions, e.amounts) as line (request_id, position, amount)
     where e.type in ('RETURNED', 'REVIVED')
       ${condition}
     group by e.workspace_id, line.request_id, line.position
  ) returned using (workspace_id, request_id, position)
 where coalesce(returned.amount, 0) <> case when ${isEnded} then c.amount else 0 end`;
}

const workspacesSql = `select distinct workspace_id as "workspaceId" from ${missing('')}`;

const missingSql = `
  select request_id as "requestId", position, c.amount, ${isEnded} as "isEnded"
    from ${missing('and workspace_id = $1')}
   limit $2`;
