import { audit, type NewAuditEntry } from '../../company/workspaces/audit.ts';
import type { Actor } from '../../ground/contract/actor.ts';
import type { Queryable } from '../../ground/database/database.ts';
import type { HeldOrder } from '../orders/order-steps.ts';
import { memberOfCaller, recipientsOf } from './judge.ts';

/**
 * Writes down why orders wait, in the transaction that stores them, with the entry in the audit log. Acceptance does not hold the
 * workspace's lock, which events need: `announceWaiting` appends them a moment later.
 */
export async function noteHeld(tx: Queryable, orders: readonly HeldOrder[]): Promise<void> {
  const rows = orders.map(({ workspaceId, requestId, hold: { rule, levels, days } }) => ({
    workspace_id: workspaceId,
    request_id: requestId,
    rule_id: rule.id,
    rule_name: rule.name,
    levels,
    days,
  }));
  const senders = await tx.query<{ requestId: string; actor: Actor }>(holdSql, [JSON.stringify(rows)]);
  const actors = new Map(senders.map(({ requestId, actor }) => [requestId, actor]));
  const entries = orders.map(
    ({ workspaceId, requestId, hold: { rule } }): NewAuditEntry => ({
      workspaceId,
      actor: actors.get(requestId) as Actor,
      action: 'order.held',
      subject: { id: requestId, name: null },
      detail: { rule: rule.name, ruleId: rule.id },
    }),
  );
  await audit(tx, ...entries);
}

const holdSql = `
  with held as (
    insert into order_approvals as a (workspace_id, request_id, rule_id, rule_name, levels, days, requested_by, recipients, since, due_at)
    select h.workspace_id, h.request_id, h.rule_id, h.rule_name, h.levels, h.days,
           ${memberOfCaller('h.workspace_id', 'r.token_id')},
           ${recipientsOf('h.workspace_id', `r.body -> 'orderItems'`)},
           now() + c.clock_ahead,
           now() + c.clock_ahead + make_interval(days => h.days)
      from jsonb_to_recordset($1) as h (workspace_id bigint, request_id uuid, rule_id bigint, rule_name text, levels jsonb, days int)
      join order_requests r    on r.workspace_id = h.workspace_id and r.request_id = h.request_id
      join activity_counters c on c.workspace_id = h.workspace_id
    on conflict (workspace_id, request_id) do update
       set round = a.round + 1, level = 1, state = 'WAITING', is_announced = false, rule_id = excluded.rule_id,
           rule_name = excluded.rule_name, levels = excluded.levels, days = excluded.days, requested_by = excluded.requested_by,
           recipients = excluded.recipients, since = excluded.since, due_at = excluded.due_at
    returning workspace_id, request_id
  )
  select held.request_id as "requestId",
         json_build_object('is', case when u.id is null then 'TOKEN' else 'USER' end,
                           'id', r.token_id, 'name', coalesce(u.name, t.name)) as actor
    from held
    join order_requests r  on r.workspace_id = held.workspace_id and r.request_id = held.request_id
    left join users u      on u.id = r.token_id
    left join api_tokens t on t.id = r.token_id`;
