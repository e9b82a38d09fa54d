import { shownName } from '../../company/directory/names.ts';
import { isPerson, recordsOf, survivorOf } from '../../company/directory/who.ts';
import { zoneOf } from '../../company/workspaces/days.ts';
import { timeOf } from '../../company/workspaces/lock.ts';
import type { drawnKinds } from '../../ground/contract/budget.ts';
import { type Queryable, queryOptional } from '../../ground/database/database.ts';
import { memberFields, spacedName, unitFields, unitKind } from '../../ground/values/member.ts';

/** The kinds of budgets that several people share, the narrowest first, and how a person `m` belongs to one. A blank name belongs to none. */
const sharedKinds: readonly [kind: string, isTheirs: string][] = [
  ['TEAM', 'b.shared_team_id = m.team_id and b.shared_name is null'],
  ...unitFields
    .toSorted()
    .map((name): [string, string] => [
      unitKind(name),
      `b.shared_team_id is null and lower(b.shared_name) = lower(trim(m.${memberFields[name].column}))`,
    ]),
];

/**
 * The budgets on which the senders of orders draw, as a statement: their own, else the narrowest one that they share, else the workspace's. `orders`
 * is a table with workspace_id, sender_id, currency and named_budget_id: a budget that an order names is the only one that pays it, also when it is closed.
 * Merged records of a sender count too. There is no row where no budget applies. Each part of the union finds its budget by the index of owners, however
 * many budgets there are.
 *
 * If the budget has a cap for each person, `share_member_id` and `share_month` say in whose share of which month the orders count, and `month_cap`
 * how much may be in it: the cap, less what other records of the same person have drawn.
 */
export function sendersOf(orders: string, workspace: string): string {
  const open = `b.workspace_id = ${workspace} and b.currency = s.currency and b.closed_at is null`;
  const shared = sharedKinds.map(
    ([kind, isTheirs], nth) => `
                union all
               select b.id, ${nth + 2} as width, null::bigint, b.person_cap
                 from budgets b
                where ${open} and b.kind = '${kind}' and b.member_id is null and ${isTheirs}`,
  );
  return `select s.workspace_id, s.sender_id, s.currency, s.named_budget_id, drawn_on.id as budget_id,
           share.member_id as share_member_id, share.month as share_month, share.month_cap
      from (select distinct workspace_id, sender_id, currency, named_budget_id from ${orders}) s
     cross join lateral (
       select found.id, found.person_cap
         from members sender
         join members m on m.workspace_id = ${workspace} and m.id = ${survivorOf('sender')}
        cross join lateral (
               select b.id, 0 as width, null::bigint as member_id, null::numeric as person_cap
                 from budgets b
                where b.workspace_id = ${workspace} and b.currency = s.currency and b.id = s.named_budget_id and b.kind <> 'UNLIMITED'
                union all
               select b.id, 1 as width, b.member_id, b.person_cap
                 from (${recordsOf(workspace, 's.sender_id')}) own
                 join budgets b on ${open} and b.kind = 'MEMBER' and b.member_id = own.id
                union all
               select one.id, one.width, null, one.person_cap
                 from (select null::bigint as id, 0 as width, null::bigint as member_id, null::numeric as person_cap where false${shared.join('')}) one
                where ${isPerson('m')}
                union all
               select b.id, 9, null, b.person_cap
                 from budgets b
                where ${open} and b.kind = 'WORKSPACE' and b.member_id is null) found
        where sender.workspace_id = ${workspace} and sender.id = s.sender_id
        order by found.width, found.member_id = s.sender_id desc, found.id
        limit 1) drawn_on
      left join lateral (
       select ${survivorOf('m')} as member_id, date_trunc('month', ${timeOf('a')} at time zone ${zoneOf(workspace)})::date as month
         from members m
         join activity_counters a on a.workspace_id = ${workspace}
        where m.workspace_id = ${workspace} and m.id = s.sender_id and drawn_on.person_cap is not null
        offset 0) named on true
      left join lateral (
       select named.member_id, named.month,
              drawn_on.person_cap - coalesce((select sum(other.amount)
                                                from (${recordsOf(workspace, 's.sender_id')}) own
                                                join budget_shares other
                                                  on other.workspace_id = ${workspace} and other.budget_id = drawn_on.id
                                                 and other.member_id = own.id and other.month = named.month
                                               where own.id <> named.member_id), 0) as month_cap
        where named.member_id is not null) share on true`;
}

/** The budgets that orders name, in their sequence. */
export function namedBudgets(orders: readonly { budgetId?: number | null }[]): (number | null)[] {
  return orders.map(({ budgetId }) => budgetId ?? null);
}

/** What a budget is called in messages: its kind, and whose it is. */
export interface BudgetOwner {
  kind: string;
  /** Of the member, team, cost centre or department; empty if it is not known, null for the workspace's. */
  owner: string | null;
}

/** The name of whose budget `b` of the workspace $1 it is, as an SQL expression. */
export const ownerName = `
  case b.kind when 'MEMBER' then (select ${shownName('m')}
                                    from members m
                                   where m.workspace_id = $1::bigint and m.id = b.member_id)
              when 'TEAM' then coalesce((select t.name
                                           from teams t
                                          where t.workspace_id = $1::bigint and t.id = b.shared_team_id), '')
              else b.shared_name end`;

const groups: Record<string, string> = {
  TEAM: 'team',
  ...Object.fromEntries(unitFields.map((name) => [unitKind(name), spacedName(name)])),
};

export function ofWhom({ kind, owner }: BudgetOwner): string {
  if (owner === null) return "the workspace's budget";
  return kind === 'MEMBER' ? `the budget of ${owner || 'the sender'}` : `the budget of the ${groups[kind]} ${owner}`;
}

/** The budget on which orders of a member draw in a currency, in its current state; null: nothing limits them. */
export function budgetOfSender(
  on: Queryable,
  workspaceId: number,
  senderId: number,
  currency: string,
): Promise<SenderBudget | null> {
  return queryOptional<SenderBudget>(on, senderBudgetSql, [workspaceId, senderId, currency]);
}

interface SenderBudget {
  id: number;
  kind: (typeof drawnKinds)[number];
  name: string | null;
  available: number;
  giftLimit: number | null;
  /** Whether it is the sender's own. */
  isOwn: boolean;
  /** What the sender may still draw on it this month; null: no cap. */
  personLeft: number | null;
}

/** What a share `s`, a row of `sendersOf`, still allows in the workspace $1, as an SQL expression; null: no cap. */
export const shareLeft = `
  greatest(0, s.month_cap - coalesce((select own.amount
                                        from budget_shares own
                                       where own.workspace_id = $1::bigint and own.budget_id = s.budget_id
                                         and own.member_id = s.share_member_id and own.month = s.share_month), 0))`;

const senderBudgetSql = `
  with sent as (
    select $1::bigint as workspace_id, $2::bigint as sender_id, $3::text as currency, null::bigint as named_budget_id
  ),
  senders as (
    ${sendersOf('sent', '$1::bigint')}
  )
  select b.id, b.kind, ${ownerName} as name, b.available, b.gift_limit as "giftLimit", b.kind = 'MEMBER' as "isOwn",
         case when s.month_cap is not null then ${shareLeft} end as "personLeft"
    from senders s
    join budgets b on b.workspace_id = $1::bigint and b.id = s.budget_id`;
