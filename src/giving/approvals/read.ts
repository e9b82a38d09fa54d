import { survivorOf } from '../../company/directory/who.ts';
import type { OrderApproval } from '../../ground/contract/approval.ts';
import type { RuleLevel } from '../../ground/contract/rule.ts';
import type { Queryable } from '../../ground/database/database.ts';
import { orderTotal } from '../budgets/cost.ts';
import { giftCount, noteOf } from '../orders/order-body.ts';
import { type Deciders, readDeciders, whoIsAsked } from './deciders.ts';
import { managerOf } from './judge.ts';

/** An order that waits or was decided, with what decides who is asked. */
export interface ApprovalRow {
  requestId: string;
  state: OrderApproval['state'];
  round: number;
  rule: OrderApproval['rule'];
  levels: RuleLevel[];
  level: number;
  days: number;
  since: Date;
  dueAt: Date;
  managerId: number | null;
  /** The sender, the caller and the recipients that were known when the order came. */
  parties: number[];
  sender: OrderApproval['sender'];
  decisions: OrderApproval['decisions'];
  customerRequestId: string | null;
  traceparent: string | null;
  gifts: number;
  total: number;
  currency: string;
  note: string | null;
  recipient: string;
  message: string;
}

/** One order's approval; null if no rule asked for one. */
export async function readApproval(
  on: Queryable,
  workspaceId: number,
  requestId: string,
): Promise<OrderApproval | null> {
  const [row] = await readApprovalRows(on, workspaceId, [requestId]);
  return row ? approvalOf(row, await readDeciders(on, workspaceId)) : null;
}

export function readApprovalRows(
  on: Queryable,
  workspaceId: number,
  requestIds: readonly string[],
): Promise<ApprovalRow[]> {
  return on.query<ApprovalRow>(rowsSql('a.request_id = any($2::uuid[])'), [workspaceId, requestIds, mostRows]);
}

/** The orders in a state, the oldest first; of decided ones those that one of these records has decided, or all if it is null. */
export function readInState(
  on: Queryable,
  workspaceId: number,
  state: OrderApproval['state'],
  decidedBy: readonly number[] | null,
): Promise<ApprovalRow[]> {
  return on.query<ApprovalRow>(
    rowsSql(`a.state = $2 and ($4::bigint[] is null or exists (
       select from order_decisions d
        where d.workspace_id = a.workspace_id and d.request_id = a.request_id and d.decided_by = any($4::bigint[])))`),
    [workspaceId, state, mostRows, decidedBy],
  );
}

export function askedAbout(row: ApprovalRow, deciders: Deciders): Pick<OrderApproval, 'asked' | 'ownersAsked'> {
  if (row.state !== 'WAITING') return { asked: [], ownersAsked: false };
  return whoIsAsked(deciders, { ...row, approvedBy: row.decisions.flatMap(({ by }) => by?.id ?? []) });
}

export function approvalOf(row: ApprovalRow, deciders: Deciders): OrderApproval {
  const { requestId, state, rule, level, since, dueAt, sender, customerRequestId } = row;
  const { gifts, total, currency, note, recipient, message } = row;
  return {
    requestId,
    state,
    rule,
    since: since.toISOString(),
    decideBy: dueAt.toISOString(),
    level,
    levels: row.levels.length,
    ...askedAbout(row, deciders),
    decisions: row.decisions.map((one) => ({ ...one, at: new Date(one.at).toISOString() })),
    customerRequestId,
    sender,
    gifts,
    total,
    currency,
    note,
    recipient,
    message,
  };
}

const mostRows = 1_000;

const nameOf = (alias: string) =>
  `coalesce(nullif(trim(${alias}.first_name || ' ' || ${alias}.last_name), ''), ${alias}.email, '')`;

const rowsSql = (condition: string) => `
  select a.request_id as "requestId", a.state, a.round, json_build_object('id', a.rule_id, 'name', a.rule_name) as rule, a.levels,
         a.level, a.days, a.since, a.due_at as "dueAt",
         ${managerOf('a.workspace_id', 'r.sender_id')} as "managerId",
         (a.recipients || r.sender_id || array_remove(array[a.requested_by], null))::float8[] as parties,
         json_build_object('id', r.sender_id, 'name', r.sender_name) as sender,
         (select coalesce(json_agg(json_build_object(
                   'level', d.level, 'decision', d.decision, 'comment', d.comment, 'at', d.decided_at,
                   'by', case when m.id is not null then json_build_object('id', m.id, 'name', ${nameOf('m')}) end)
                 order by d.level), '[]')
            from order_decisions d
            left join members decided_as on decided_as.workspace_id = d.workspace_id and decided_as.id = d.decided_by
            left join members m on m.workspace_id = d.workspace_id and m.id = ${survivorOf('decided_as')}
           where d.workspace_id = a.workspace_id and d.request_id = a.request_id and d.round = a.round) as decisions,
         r.customer_request_id as "customerRequestId", r.traceparent, r.currency,
         ${giftCount('r.body')} as gifts, ${orderTotal('r.body')} as total, ${noteOf('r.body')} as note,
         coalesce(nullif(concat_ws(' ', first.recipient ->> 'firstName', first.recipient ->> 'lastName'), ''),
                  first.recipient ->> 'email', first.recipient ->> 'employeeNumber') as recipient,
         r.body #>> '{orderItems,0,message}' as message
    from (select *
            from order_approvals a
           where a.workspace_id = $1
             and ${condition}
           order by a.since, a.request_id
           limit $3) a
    join order_requests r on r.workspace_id = a.workspace_id and r.request_id = a.request_id
   cross join lateral (select r.body #> '{orderItems,0,recipient}' as recipient) first
   order by a.since, a.request_id`;
