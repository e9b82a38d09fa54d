import { findLeavingOwners } from '../../company/directory/owners.ts';
import { addressKey, hasEmail, recordsOf } from '../../company/directory/who.ts';
import { stateAt } from '../../giving/gifts/gift.ts';
import { allWaiting } from '../../giving/orders/queue.ts';
import type { ErasureObstacle } from '../../ground/contract/erasure.ts';
import type { Queryable } from '../../ground/database/database.ts';
import { unpaid, unreturned } from '../../spending/redemptions/payroll-open.ts';

/** What is open and has to end before a person can be erased. */
export async function listObstacles(on: Queryable, workspaceId: number, id: number): Promise<ErasureObstacle[]> {
  const found = await on.query<ErasureObstacle>(obstaclesOf('$1', '$2'), [workspaceId, id]);
  const { staying } = await findLeavingOwners(on, workspaceId, [id]);
  return [
    ...found,
    ...(staying === null ? [] : [{ kind: 'LAST_OWNER' as const, count: 1, amount: null, currency: null }]),
  ];
}

const ofRedemption = (workspace: string, condition: string) => `
    select count(*)::int as count
      from redemptions
      join theirs on theirs.request_id = redemptions.request_id and theirs.position = redemptions.position
     where redemptions.workspace_id = ${workspace}
       and ${condition}`;

/** The same as a statement, without that of the last owner: no rows if a person can be erased. */
export const obstaclesOf = (workspace: string, member: string) => `
  with records as (${recordsOf(workspace, member)}),
  people as (
    select p.* from members p where p.workspace_id = ${workspace} and p.id in (select id from records)
  ),
  addresses as (
    select p.email_key as address from people p
     union all
    select ${addressKey('p.user_name')} from people p
     union all
    select ${addressKey('e.value')} from member_emails e where e.workspace_id = ${workspace} and e.member_id in (select id from records)
     union all
    select f.email_key
      from former_addresses f
     where f.workspace_id = ${workspace}
       and f.member_id in (select id from records)
       and not exists (select from members holder where holder.workspace_id = ${workspace} and ${hasEmail('holder', 'f.email_key')})
  ),
  theirs as (
    select c.request_id, c.position, c.amount - c.redeemed as left_over, ${stateAt('c', 'now()')} as gift_state
      from certificates c
     where c.workspace_id = ${workspace}
       and c.member_id in (select id from records)
  )
  select 'OPEN_GIFTS' as kind, count(*)::int as count, sum(t.left_over)::float8 as amount, r.currency
    from theirs t
    join order_requests r on r.workspace_id = ${workspace} and r.request_id = t.request_id
   where t.gift_state in ('ISSUED', 'CLAIMED', 'PARTLY_REDEEMED')
   group by r.currency
   union all
  select 'OPEN_REQUESTS', count, null, null from (${ofRedemption(workspace, `redemptions.state = 'REQUESTED'`)}) open where count > 0
   union all
  select 'UNPAID', count, null, null from (${ofRedemption(workspace, `((${unpaid}) or (${unreturned}))`)}) unpaid where count > 0
   union all
  select 'PENDING_ORDERS', count, null, null
    from (select count(*)::int as count
            from ${allWaiting} w
            join order_requests r on r.workspace_id = w.workspace_id and r.request_id = w.request_id
           where w.workspace_id = ${workspace}
             and (r.sender_id in (select id from records)
                  or exists (select
                               from jsonb_array_elements(r.body -> 'orderItems') as item
                              where ${addressKey("item #>> '{recipient,email}'")} in (select address from addresses)
                                 or item #>> '{recipient,employeeNumber}' in (select employee_number from people)))) waiting
   where count > 0
   union all
  select 'LEGAL_HOLD', count, null, null
    from (select count(*)::int as count
            from legal_holds
           where workspace_id = ${workspace}
             and member_id in (select id from records)) held
   where count > 0`;
