import type { Actor } from '../../../ground/contract/actor.ts';
import type { WebhookReplay } from '../../../ground/contract/webhook.ts';
import type { Queryable } from '../../../ground/database/database.ts';
import { Failure } from '../../../ground/errors.ts';
import { beyondLatest, findEvent, readExtent, refuseLost } from '../read.ts';
import { auditWebhook, findWebhook, type StoredWebhook } from './endpoints.ts';

const either = 'Name either eventId, for one event, or from, for everything from a number.';

/** Posts one event, or everything from a number, once more. The caller holds the workspace's lock. */
export async function replayEvents(
  tx: Queryable,
  actor: Actor,
  workspaceId: number,
  webhookId: number,
  wanted: WebhookReplay,
): Promise<StoredWebhook> {
  const { eventId, from } = wanted;
  const webhook = await findWebhook(tx, workspaceId, webhookId);
  if ((eventId === undefined) === (from === undefined))
    throw new Failure('invalid', either, { faults: ['eventId', 'from'].map((path) => ({ path, problem: either })) });
  if (eventId !== undefined) await replayOne(tx, workspaceId, webhookId, eventId);
  else await replayFrom(tx, workspaceId, webhookId, from as number);
  await auditWebhook(tx, workspaceId, actor, 'webhook.replayed', webhook, wanted);
  return findWebhook(tx, workspaceId, webhookId);
}

async function replayOne(tx: Queryable, workspaceId: number, webhookId: number, eventId: string): Promise<void> {
  const { number } = await findEvent(tx, workspaceId, eventId);
  // First, because it locks the row: a dispatcher that notes the endpoint's retries waits, and then sees this one.
  await tx.query('update webhooks set has_retries = true where workspace_id = $1 and id = $2', [
    workspaceId,
    webhookId,
  ]);
  await tx.query(
    `insert into webhook_retries (workspace_id, webhook_id, number, attempts, next_at)
     values ($1, $2, $3, 0, now())
         on conflict (workspace_id, webhook_id, number) do update set attempts = 0, next_at = excluded.next_at`,
    [workspaceId, webhookId, number],
  );
}

async function replayFrom(tx: Queryable, workspaceId: number, webhookId: number, from: number): Promise<void> {
  const extent = await readExtent(tx, workspaceId, from);
  const { latest, removedThrough } = extent;
  refuseLost('from', extent);
  if (from > latest) throw beyondLatest('from', latest);
  if (from <= removedThrough)
    throw new Failure(
      'gone',
      `The oldest event is ${removedThrough + 1}: those before it were removed because of their age.`,
    );
  // First, because it locks the row: a dispatcher that notes the endpoint's retries waits. Its lease ends, so that it cannot move
  // the cursor past what is replayed. The cursor never moves forward: what lies between was not delivered yet.
  await tx.query(
    `update webhooks
        set cursor = least(cursor, $3), lease_owner = null, lease_until = null
      where workspace_id = $1
        and id = $2`,
    [workspaceId, webhookId, from - 1],
  );
  await tx.query('delete from webhook_retries where workspace_id = $1 and webhook_id = $2 and number >= $3', [
    workspaceId,
    webhookId,
    from,
  ]);
}
