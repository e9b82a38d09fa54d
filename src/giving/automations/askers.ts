import type { Actor } from '../../ground/contract/actor.ts';
import type { Queryable } from '../../ground/database/database.ts';
import { workspaceOf } from '../../ground/database/one-workspace.ts';
import type { AuditAction } from '../../ground/values/audit-actions.ts';
import { uuid } from '../../ground/values/uuid.ts';
import type { AcceptedOrder } from '../orders/order-steps.ts';

/*
 * An automation orders what people have set. Who added, changed or turned it on has requested its orders, and who let one occurrence go out has
 * requested that gift: they do not approve them.
 */

/** The Idempotency-Key of an automation's batch has its id. */
export const keyOfBatch = (id: string) => `automation:${id}`;

/** The id of the batch whose order has this Idempotency-Key; null: the order is not of an automation. */
export function batchOfKey(key: string | null | undefined): string | null {
  const [start, id = ''] = key?.split(':') ?? [];
  return start === 'automation' && uuid.test(id) ? id : null;
}

/** The user or the token that acts; null for others. */
export function askerOf({ is, id }: Actor): number | null {
  return is === 'USER' || is === 'TOKEN' ? id : null;
}

/** Remembers that a person or a token has a part in what an automation does. */
export async function noteAsker(tx: Queryable, actor: Actor, workspaceId: number, id: number): Promise<void> {
  const asker = askerOf(actor);
  if (asker === null) return;
  await tx.query(
    `update automations
        set asker_ids = array_append(asker_ids, $3::bigint)
      where workspace_id = $1
        and id = $2
        and not $3 = any(asker_ids)`,
    [workspaceId, id, asker],
  );
}

/** Which users and tokens are behind orders of a workspace's automations, by requestId. Other orders are left out. */
export async function findAskers(
  tx: Queryable,
  orders: readonly AcceptedOrder[],
): Promise<ReadonlyMap<string, readonly number[]>> {
  const asked = orders.map(({ requestId, tokenId, idempotencyKey }) => {
    return { requestId, tokenId, batch: batchOfKey(idempotencyKey) };
  });
  const found = await tx.query<{ requestId: string; askers: number[] }>(askersSql, [
    workspaceOf(orders),
    JSON.stringify(asked),
    settingActions,
  ]);
  return new Map(found.map(({ requestId, askers }) => [requestId, askers]));
}

const settingActions: readonly AuditAction[] = [
  'automation.added',
  'automation.changed',
  'automation.turned_on',
  'automation.resumed',
];

// The audit log also has what nodes of 0.8.0 have let people change. Its entries may be removed by age, so the automation keeps its own list.
const askersSql = `
  select o."requestId",
         array(select unnest(a.asker_ids)
                union
               select l.actor_id
                 from audit_log l
                where l.workspace_id = $1
                  and l.subject_id = a.id::text
                  and l.action = any($3::text[])
                  and l.actor in ('USER', 'TOKEN')
                  and l.actor_id is not null
                union
               select r.requested_by
                 from occurrences r
                where r.workspace_id = $1
                  and (r.state = 'SENDING' and r.batch = o.batch or r.request_id = o."requestId")
                  and r.requested_by is not null)::float8[] as askers
    from jsonb_to_recordset($2::jsonb) as o ("requestId" uuid, "tokenId" bigint, batch uuid)
    join automations a on a.workspace_id = $1 and a.id = o."tokenId"`;
