import { orderTotal } from '../../giving/budgets/cost.ts';
import { originalHash } from '../../giving/orders/order-body.ts';
import { allWaiting } from '../../giving/orders/queue.ts';

/**
 * Orders that a rule held, as rows of workspace_id and problem: an order waits as long as its approval does, its gifts are issued only after
 * every level has approved it, and a declined one has failed. What it asks for is what approvers see. `rows` limits a table to a workspace, `which` chooses approvals `a`.
 */
export function approvalProblems(rows: (table: string) => string, which = 'true'): string {
  return `
  select a.workspace_id,
         case when a.state = 'WAITING' and h.request_id is null
                   then format('Order %s waits for approval and is not held: it was sent without a decision.', a.request_id)
              when a.state <> 'WAITING' and h.request_id is not null
                   then format('Order %s is %s and still held.', a.request_id, lower(a.state))
              when a.state = 'APPROVED' and (a.level <> jsonb_array_length(a.levels) or d.approved <> a.level or d.others > 0)
                   then format('Order %s counts as approved, and not each of its levels has approved it.', a.request_id)
              when a.state = 'WAITING' and (d.approved <> a.level - 1 or d.others > 0)
                   then format('Order %s waits for level %s, and its decisions say otherwise.', a.request_id, a.level)
              when a.state in ('DECLINED', 'EXPIRED') and (d.approved <> a.level - 1 or d.others <> 1 or o.failure is null)
                   then format('Order %s is %s, and its decisions or its outcome say otherwise.', a.request_id, lower(a.state))
              when a.state = 'APPROVED' and o.request_id is null and p.request_id is null
                   then format('Order %s is approved, and it neither waits nor has an outcome.', a.request_id)
              when a.body_hash is not null and a.body_hash <> ${originalHash('r.body')}
                   then format('Order %s was changed after it began to wait.', a.request_id)
              when (a.gifts, a.total) is distinct from (jsonb_array_length(r.body -> 'orderItems'), ${orderTotal('r.body')})
                   then format('Order %s asks for other gifts than its approvers see.', a.request_id)
         end as problem
    from ${rows('order_approvals')} a
    left join order_requests r on r.workspace_id = a.workspace_id and r.request_id = a.request_id
    left join held_orders h on h.workspace_id = a.workspace_id and h.request_id = a.request_id
    left join orders o      on o.workspace_id = a.workspace_id and o.request_id = a.request_id
    left join ${allWaiting} p on p.workspace_id = a.workspace_id and p.request_id = a.request_id
   cross join lateral (select count(*) filter (where decision = 'APPROVED' and level <= a.level)       as approved,
                              count(*) filter (where decision <> 'APPROVED' or level > a.level) as others
                         from order_decisions
                        where workspace_id = a.workspace_id and request_id = a.request_id) d
   where ${which}
   union all
  select h.workspace_id, format('Order %s is held, and no rule says why.', h.request_id)
    from ${rows('held_orders')} h
   where not exists (select from order_approvals a where a.workspace_id = h.workspace_id and a.request_id = h.request_id)`;
}
