import { audit, type NewAuditEntry } from '../../company/workspaces/audit.ts';
import type { Actor } from '../../ground/contract/actor.ts';
import type { Queryable } from '../../ground/database/database.ts';
import { workspaceOf } from '../../ground/database/one-workspace.ts';
import { sumOf } from '../../ground/values/money.ts';
import { originalHash } from '../orders/order-body.ts';
import type { AcceptedOrder, HeldOrder } from '../orders/order-steps.ts';
import { keepParties, noteRetrier } from './parties.ts';
import { joinRequests } from './requests.ts';

/**
 * Writes down why orders wait, in the transaction that stores them, with the entry in the audit log. Acceptance does not hold the
 * workspace's lock, which events need: `announceWaiting` appends them a moment later.
 */
export async function noteHeld(tx: Queryable, orders: readonly HeldOrder[]): Promise<void> {
  const requests = await joinRequests(tx, orders);
  const rows = orders.map(({ requestId, order, hold: { rule, levels, days } }) => ({
    request_id: requestId,
    rule_id: rule.id,
    rule_name: rule.name,
    levels,
    days,
    gifts: order.orderItems.length,
    total: sumOf(order.orderItems.map(({ amount }) => amount)),
    asked_with: requests.get(requestId)?.id ?? null,
    is_first: requests.get(requestId)?.isFirst ?? true,
  }));
  await keepParties(
    tx,
    orders.map(({ workspaceId, requestId, hold: { parties, origin } }) => ({
      workspaceId,
      requestId,
      ...parties,
      origin,
    })),
  );
  const senders = await tx.query<{ requestId: string; actor: Actor }>(holdSql, [
    workspaceOf(orders),
    JSON.stringify(rows),
  ]);
  const actors = new Map(senders.map(({ requestId, actor }) => [requestId, actor]));
  const entries = orders.map(
    ({ workspaceId, requestId, actor, hold: { rule, by } }): NewAuditEntry => ({
      workspaceId,
      actor: by ?? actor ?? (actors.get(requestId) as Actor),
      action: 'order.held',
      subject: { id: requestId, name: null },
      detail: { rule: rule.name, ruleId: rule.id },
    }),
  );
  await audit(tx, ...entries);
}

const holdSql = `
  with held as (
    insert into order_approvals (workspace_id, request_id, rule_id, rule_name, levels, days, gifts, total, since, due_at,
                                 asked_with, is_first, body_hash, sender_id)
    select $1::bigint, h.request_id, h.rule_id, h.rule_name, h.levels, h.days, h.gifts, h.total,
           now() + c.clock_ahead,
           now() + c.clock_ahead + make_interval(days => h.days),
           h.asked_with, h.is_first, ${originalHash('r.body')}, r.sender_id
      from jsonb_to_recordset($2) as h (request_id uuid, rule_id bigint, rule_name text, levels jsonb, days int,
                                        gifts int, total numeric, asked_with uuid, is_first boolean)
      join activity_counters c on c.workspace_id = $1
      join order_requests r    on r.workspace_id = $1 and r.request_id = h.request_id
    returning request_id
  )
  select held.request_id as "requestId",
         json_build_object('is', case when u.id is null then 'TOKEN' else 'USER' end,
                           'id', r.token_id, 'name', coalesce(u.name, t.name)) as actor
    from held
    join order_requests r  on r.workspace_id = $1 and r.request_id = held.request_id
    left join users u      on u.id = r.token_id
    left join api_tokens t on t.id = r.token_id`;

/** An order that is tried again starts over: what was decided about it is in the audit log. Its parties stay, and the person who retries is one too. */
export async function forgetDecisions(tx: Queryable, order: AcceptedOrder, actor: Actor): Promise<void> {
  await tx.query(forgetSql, [order.workspaceId, order.requestId]);
  await noteRetrier(tx, order, actor);
}

const forgetSql = `
  with decisions as (
    delete from order_decisions where workspace_id = $1 and request_id = $2
  )
  delete from order_approvals where workspace_id = $1 and request_id = $2`;
