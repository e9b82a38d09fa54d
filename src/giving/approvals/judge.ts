import { survivorOf } from '../../company/directory/who.ts';
import type { Rule } from '../../ground/contract/rule.ts';
import type { Queryable } from '../../ground/database/database.ts';
import { workspaceOf } from '../../ground/database/one-workspace.ts';
import { Failure } from '../../ground/errors.ts';
import { memberFields, unitFields } from '../../ground/values/member.ts';
import type { AcceptedOrder, ConcernedOrder, Hold, Parties, Preview } from '../orders/order-steps.ts';
import { readDeciders, whoIsAsked } from './deciders.ts';
import { fits, isByTotal, type Origin } from './fits.ts';
import { findParties, peopleWith } from './parties.ts';
import { ruleColumns, withFirstTokens } from './rules.ts';
import { openTotals } from './totals.ts';

/** Whether a rule may fit an order, by what is in memory. If not, the order needs no query because of rules. */
export function mayBeJudged({ workspace: { rules, role, firstTokenId }, tokenId, order }: ConcernedOrder): boolean {
  return rules.some(
    (rule) =>
      (isByTotal(rule) && rule.currency === order.currency) ||
      fits(rule, { tokenId: firstTokenId, callerId: tokenId, role }, order),
  );
}

/** Says which users and tokens are behind callers that act for them, by requestId: automations do what people have set. */
export type FindAskers = (
  tx: Queryable,
  orders: readonly AcceptedOrder[],
) => Promise<ReadonlyMap<string, readonly number[]>>;

/** Says which orders a rule rejects, and which wait for approval. The first rule that fits an order decides. */
export async function judgeByRules(
  tx: Queryable,
  orders: readonly AcceptedOrder[],
  findAskers: FindAskers,
): Promise<ReadonlyMap<string, Failure | Hold>> {
  const found = await findRules(tx, orders, true);
  const held = found.filter(({ rule }) => rule.outcome === 'ASK');
  // Before the budgets are locked: it looks every recipient up.
  const waiting = held.map(({ order }) => order);
  const parties = held.length === 0 ? [] : await findParties(tx, waiting, await findAskers(tx, waiting));
  const verdicts = new Map<string, Failure | Hold>();
  for (const { order, rule } of found) if (rule.outcome === 'REJECT') verdicts.set(order.requestId, rejection(rule));
  for (const [nth, one] of held.entries()) verdicts.set(one.order.requestId, holdOf(one, parties[nth] as Parties));
  return verdicts;
}

/**
 * Says beforehand which rule would apply to an order, and who would be asked first. A caller who sees some people alone does not learn
 * from it whose address a recipient's is: recipients are not left out for them.
 */
export async function previewRule(tx: Queryable, order: AcceptedOrder & ConcernedOrder): Promise<Preview | null> {
  const [found] = await findRules(tx, [order], false);
  if (!found) return null;
  const { id, name, outcome, days, message, levels } = found.rule;
  const rule = { id, name, outcome, levels: levels.length, days };
  if (outcome === 'REJECT') return { rule: { ...rule, asked: [], ownersAsked: false }, rejection: message };
  const { workspaceId, workspace, senderId } = order;
  const [keys] = (await findParties(tx, [order])) as [Parties];
  const parties = workspace.onlyReportsOf === null ? [...keys.askers, ...keys.recipients] : keys.askers;
  const [sender] = await tx.query<{ managerId: number | null }>(`select ${managerOf('$1', '$2')} as "managerId"`, [
    workspaceId,
    senderId,
  ]);
  const asked = whoIsAsked(await readDeciders(tx, workspaceId), {
    levels,
    level: 1,
    managerId: sender?.managerId ?? null,
    parties: await peopleWith(tx, workspaceId, parties),
    approvedBy: [],
  });
  return { rule: { ...rule, ...asked }, rejection: null };
}

interface Judged {
  order: AcceptedOrder;
  rule: Rule;
  origin: Origin;
}

/** The reason of a failure that a rule has caused. */
export const ruleRejects = 'rule';

function rejection({ message }: Rule): Failure {
  return new Failure('overBudget', message ?? '', { reason: ruleRejects });
}

function holdOf({ rule: { id, name, levels, days }, origin }: Judged, parties: Parties): Hold {
  return { rule: { id, name }, levels, days: days ?? 1, parties, origin };
}

/**
 * The rule that decides about each order of a workspace that one fits. Rules and senders are read as they are now, not as the caller's grant has them.
 * `locks`: whether the orders are accepted, and totals must not change meanwhile.
 */
async function findRules(tx: Queryable, orders: readonly AcceptedOrder[], locks: boolean): Promise<Judged[]> {
  const workspaceId = workspaceOf(orders);
  const rules = await withFirstTokens(tx, await tx.query<Rule>(rulesSql, [workspaceId]));
  if (rules.length === 0) return [];
  const origins = await tx.query<Origin>(originsSql, [
    workspaceId,
    orders.map(({ requestId }) => requestId),
    orders.map(({ tokenId }) => tokenId),
    orders.map(({ senderId }) => senderId),
  ]);
  const totals = await openTotals(tx, rules, orders, locks);
  return orders.flatMap((order, nth) => {
    const origin = origins[nth] as Origin;
    const reached = totals.with(order);
    const rule = rules.find((one) => fits(one, origin, order.order, reached));
    if (rule?.outcome !== 'REJECT') totals.add(order);
    return rule ? [{ order, rule, origin }] : [];
  });
}

const rulesSql = `
  select ${ruleColumns}
    from rules
   where workspace_id = $1
     and is_on
   order by position, id`;

/**
 * In the order of the orders. A caller below zero is an employee. A sender's merged record counts as the surviving one. An order that is tried again is judged as it came: by
 * the role that its caller had, and, if it was held before, by the department, the cost centre and the team that its sender had.
 */
const originsSql = `
  select coalesce(t.first_id, t.id) as "tokenId", asked.token_id as "callerId",
         coalesce(stored.caller_role, r.role, case when asked.token_id < 0 then 'EMPLOYEE' end) as role,
         ${unitFields.map((name) => `case when kept.origin is null then m.${memberFields[name].column} else kept.origin ->> '${name}' end as "${name}"`)},
         case when kept.origin is null then m.team_id else (kept.origin ->> 'teamId')::bigint end as "teamId"
    from unnest($2::uuid[], $3::bigint[], $4::bigint[]) with ordinality as asked (request_id, token_id, sender_id, nth)
    left join order_requests stored on stored.workspace_id = $1 and stored.request_id = asked.request_id
    left join order_parties kept    on kept.workspace_id = $1 and kept.request_id = asked.request_id
    left join user_roles r          on r.workspace_id = $1 and r.user_id = asked.token_id
    left join api_tokens t          on t.id = asked.token_id
    left join members sender        on sender.workspace_id = $1 and sender.id = asked.sender_id
    left join members m             on m.workspace_id = $1 and m.id = ${survivorOf('sender')}
   order by nth`;

/** The manager of a sender, who may have merged records. */
export function managerOf(workspaceId: string, sender: string): string {
  return `(select ${survivorOf('manager')}
       from members sender
       join members sends   on sends.workspace_id = sender.workspace_id and sends.id = ${survivorOf('sender')}
       join members manager on manager.workspace_id = sender.workspace_id and manager.id = sends.manager_id
      where sender.workspace_id = ${workspaceId} and sender.id = ${sender})`;
}
