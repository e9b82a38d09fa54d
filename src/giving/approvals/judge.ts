import { memberByAddress, memberByNumber, survivorOf } from '../../company/directory/who.ts';
import type { OrderRequest } from '../../ground/contract/order.ts';
import type { Rule } from '../../ground/contract/rule.ts';
import type { Queryable } from '../../ground/database/database.ts';
import { Failure } from '../../ground/errors.ts';
import type { AcceptedOrder, ConcernedOrder, Hold, Preview } from '../orders/order-steps.ts';
import { readDeciders, whoIsAsked } from './deciders.ts';
import { fits, type Origin } from './fits.ts';
import { ruleColumns } from './rules.ts';

/** Whether a rule may fit an order, by what is in memory. If not, the order needs no query because of rules. */
export function mayBeJudged({ workspace: { rules, role }, tokenId, order }: ConcernedOrder): boolean {
  return rules.some((rule) => fits(rule, { tokenId, role }, order));
}

/** Says which orders a rule rejects, and which wait for approval. The first rule that fits an order decides. */
export async function judgeByRules(
  tx: Queryable,
  orders: readonly AcceptedOrder[],
): Promise<ReadonlyMap<string, Failure | Hold>> {
  const verdicts = new Map<string, Failure | Hold>();
  for (const [requestId, rule] of await findRules(tx, orders))
    verdicts.set(requestId, rule.outcome === 'REJECT' ? rejection(rule) : holdOf(rule));
  return verdicts;
}

/** Says beforehand which rule would apply to an order, and who would be asked first. */
export async function previewRule(tx: Queryable, order: AcceptedOrder): Promise<Preview | null> {
  const rule = (await findRules(tx, [order])).get(order.requestId);
  if (!rule) return null;
  const { id, name, outcome, days, message } = rule;
  const levels = rule.levels.length;
  if (outcome === 'REJECT')
    return { rule: { id, name, outcome, asked: [], ownersAsked: false, levels, days }, rejection: message };
  const { managerId, parties } = await findParties(tx, order);
  const question = { levels: rule.levels, level: 1, managerId, parties, approvedBy: [] };
  const asked = whoIsAsked(await readDeciders(tx, order.workspaceId), question);
  return { rule: { id, name, outcome, ...asked, levels, days }, rejection: null };
}

function rejection({ message }: Rule): Failure {
  return new Failure('overBudget', message ?? '');
}

function holdOf({ id, name, levels, days }: Rule): Hold {
  return { rule: { id, name }, levels, days: days ?? 1 };
}

/** The rule that decides about each order, by requestId. Rules and senders are read as they are now, not as the caller's grant has them. */
async function findRules(tx: Queryable, orders: readonly AcceptedOrder[]): Promise<Map<string, Rule>> {
  const workspaceIds = [...new Set(orders.map(({ workspaceId }) => workspaceId))];
  const rules = await tx.query<Rule & { workspaceId: number }>(rulesSql, [workspaceIds]);
  if (rules.length === 0) return new Map();
  const byWorkspace = Map.groupBy(rules, ({ workspaceId }) => workspaceId);
  const origins = await tx.query<Origin>(originsSql, [
    orders.map(({ workspaceId }) => workspaceId),
    orders.map(({ tokenId }) => tokenId),
    orders.map(({ senderId }) => senderId),
  ]);
  const found = new Map<string, Rule>();
  for (const [nth, { requestId, workspaceId, order }] of orders.entries()) {
    const rule = byWorkspace.get(workspaceId)?.find((one) => fits(one, origins[nth] as Origin, order));
    if (rule) found.set(requestId, rule);
  }
  return found;
}

const rulesSql = `
  select workspace_id as "workspaceId", ${ruleColumns}
    from unnest($1::bigint[]) as asked (workspace_id)
    join rules using (workspace_id)
   where is_on
   order by workspace_id, position, id`;

/** In the order of the orders. A sender's merged record counts as the surviving one. */
const originsSql = `
  select asked.token_id as "tokenId", r.role, m.department, m.cost_centre as "costCentre", m.team_id as "teamId"
    from unnest($1::bigint[], $2::bigint[], $3::bigint[]) with ordinality as asked (workspace_id, token_id, sender_id, nth)
    left join user_roles r   on r.workspace_id = asked.workspace_id and r.user_id = asked.token_id
    left join members sender on sender.workspace_id = asked.workspace_id and sender.id = asked.sender_id
    left join members m      on m.workspace_id = asked.workspace_id and m.id = ${survivorOf('sender')}
   order by nth`;

/** The member that a caller acts as. Both are SQL expressions; the caller is a token or a user. */
export function memberOfCaller(workspaceId: string, caller: string): string {
  return `coalesce(
    (select given.member_id from user_roles given where given.workspace_id = ${workspaceId} and given.user_id = ${caller}),
    (select used.member_id from api_token_workspaces used where used.workspace_id = ${workspaceId} and used.token_id = ${caller}))`;
}

/** The members who receive gifts of an order, as an array. People who are not known yet are left out: they cannot decide. */
export function recipientsOf(workspaceId: string, orderItems: string): string {
  const email = `item #>> '{recipient,email}'`;
  const number = `item #>> '{recipient,employeeNumber}'`;
  return `array(
    select distinct id
      from (select case when ${email} is not null then ${memberByAddress(workspaceId, `(${email})`)}
                        else ${memberByNumber(workspaceId, `(${number})`)} end as id
              from jsonb_array_elements(${orderItems}) as item) found
     where id is not null)`;
}

/** The manager of a sender, who may have merged records. */
export function managerOf(workspaceId: string, sender: string): string {
  return `(select ${survivorOf('manager')}
       from members sender
       join members sends   on sends.workspace_id = sender.workspace_id and sends.id = ${survivorOf('sender')}
       join members manager on manager.workspace_id = sender.workspace_id and manager.id = sends.manager_id
      where sender.workspace_id = ${workspaceId} and sender.id = ${sender})`;
}

/** Of an order that is not stored. */
async function findParties(
  tx: Queryable,
  { workspaceId, tokenId, senderId, order }: AcceptedOrder & { order: OrderRequest },
): Promise<{ managerId: number | null; parties: number[] }> {
  const [found] = await tx.query<{ managerId: number | null; callerId: number | null; recipients: number[] }>(
    `select ${managerOf('$1', '$2')} as "managerId", ${memberOfCaller('$1', '$3')} as "callerId",
            ${recipientsOf('$1', '$4::jsonb')}::float8[] as recipients`,
    [workspaceId, senderId, tokenId, JSON.stringify(order.orderItems)],
  );
  const { managerId = null, callerId = null, recipients = [] } = found ?? {};
  return { managerId, parties: [senderId, ...(callerId === null ? [] : [callerId]), ...recipients] };
}
