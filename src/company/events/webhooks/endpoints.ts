import { randomUUID } from 'node:crypto';
import type { Actor } from '../../../ground/contract/actor.ts';
import type { NewWebhook, Webhook, WebhookChange } from '../../../ground/contract/webhook.ts';
import { type Queryable, queryOptional } from '../../../ground/database/database.ts';
import { historyId } from '../../../ground/database/history.ts';
import { takeFromSequence } from '../../../ground/database/ids.ts';
import { Failure } from '../../../ground/errors.ts';
import type { AuditAction } from '../../../ground/values/audit-actions.ts';
import { changesAnything } from '../../../ground/values/differences.ts';
import { audit } from '../../workspaces/audit.ts';
import { momentOf } from '../../workspaces/lock.ts';
import { appendEvents } from '../log.ts';
import { shownPosts } from './tallies.ts';
import { utc } from './utc.ts';

const maxWebhooks = 20;
export type DisabledReason = 'GONE' | 'FAILING' | 'BY_HAND';

/** What the endpoint's secret derives from, beside the server's key. */
export interface SecretVersions {
  keyVersion: number;
  secretVersion: number;
  secretSalt: string | null;
  previousSalt: string | null;
  history: string;
  rotatedAt: Date | null;
  /** When it was read, by the database's clock. */
  readAt: Date;
}

export type StoredWebhook = Webhook & SecretVersions;

/** Adds a webhook that gets the events from now on. The caller holds the workspace's lock. */
export async function addWebhook(
  tx: Queryable,
  actor: Actor,
  workspaceId: number,
  { url, types = [], ordering = 'none', description = null }: NewWebhook,
  keyVersion: number,
): Promise<StoredWebhook> {
  await checkWebhookCount(tx, workspaceId);
  const [id] = (await takeFromSequence(tx, 'webhook_ids', 1)) as [number];
  await tx.query(
    `insert into webhooks (workspace_id, id, url, types, ordering, description, key_version, secret_version, secret_salt,
                           cursor, created_at)
     select $1, $2, $3, $4, $5, $6, $7, 1, $9, coalesce((select latest from event_counters where workspace_id = $1), 0), $8`,
    [workspaceId, id, url, types, ordering, description, keyVersion, momentOf(tx, workspaceId), randomUUID()],
  );
  const added = await findWebhook(tx, workspaceId, id);
  await auditWebhook(tx, workspaceId, actor, 'webhook.added', added);
  return added;
}

/** Refuses one more than a workspace may have. */
export async function checkWebhookCount(database: Queryable, workspaceId: number): Promise<void> {
  const webhooks = await database.query('select from webhooks where workspace_id = $1', [workspaceId]);
  if (webhooks.length >= maxWebhooks)
    throw new Failure('conflict', `A workspace has at most ${maxWebhooks} webhooks: delete one first.`);
}

export async function listWebhooks(database: Queryable, workspaceId: number): Promise<StoredWebhook[]> {
  return database.query<StoredWebhook>(`${selectSql} where w.workspace_id = $1 order by w.id`, [workspaceId]);
}

export async function findWebhook(database: Queryable, workspaceId: number, id: number): Promise<StoredWebhook> {
  const [webhook] = await database.query<StoredWebhook>(`${selectSql} where w.workspace_id = $1 and w.id = $2`, [
    workspaceId,
    id,
  ]);
  if (!webhook) throw noWebhook();
  return webhook;
}

export async function changeWebhook(
  tx: Queryable,
  actor: Actor,
  workspaceId: number,
  id: number,
  change: WebhookChange,
): Promise<StoredWebhook> {
  const before = await findWebhook(tx, workspaceId, id);
  if (!changesAnything(before, change)) return before;
  const { url, types, ordering, description } = change;
  const changed = await update(
    tx,
    workspaceId,
    id,
    `url         = coalesce($3, url),
     types       = coalesce($4, types),
     ordering    = coalesce($5, ordering),
     description = case when $6 then $7 else description end`,
    [url ?? null, types ?? null, ordering ?? null, description !== undefined, description ?? null],
  );
  await auditWebhook(tx, workspaceId, actor, 'webhook.changed', changed);
  return changed;
}

/** The secret before stays good for a day. A second rotation within that day ends the first secret at once. */
export async function rotateSecret(
  tx: Queryable,
  actor: Actor,
  workspaceId: number,
  id: number,
  keyVersion: number,
): Promise<StoredWebhook> {
  const { keyVersion: current } = await findWebhook(tx, workspaceId, id);
  if (current !== keyVersion)
    throw new Failure(
      'conflict',
      'This webhook was made with an earlier server key, and a secret of the new key cannot overlap with it: add a second webhook, change over, then delete this one.',
    );
  const rotated = await update(
    tx,
    workspaceId,
    id,
    'secret_version = secret_version + 1, secret_salt = $4, previous_salt = secret_salt, rotated_at = $3',
    [momentOf(tx, workspaceId), randomUUID()],
  );
  await auditWebhook(tx, workspaceId, actor, 'webhook.rotated', rotated);
  return rotated;
}

/** Delivery resumes with the first undelivered event; events that were removed in the meantime are left out. */
export async function enableWebhook(
  tx: Queryable,
  actor: Actor,
  workspaceId: number,
  id: number,
): Promise<StoredWebhook> {
  const assignments = 'disabled_at = null, disabled_reason = null, failing_since = null';
  const enabled = await update(tx, workspaceId, id, assignments);
  await auditWebhook(tx, workspaceId, actor, 'webhook.enabled', enabled);
  return enabled;
}

/** Ends the deliveries of a webhook, with an event that says why. The caller holds the workspace's lock. */
export async function disableWebhook(
  tx: Queryable,
  actor: Actor,
  workspaceId: number,
  id: number,
  reason: DisabledReason,
): Promise<StoredWebhook> {
  const webhook = await findWebhook(tx, workspaceId, id);
  if (!webhook.enabled) return webhook;
  const now = momentOf(tx, workspaceId);
  await appendEvents(tx, workspaceId, now, [{ type: 'webhook.disabled', data: { id, reason } }]);
  await auditWebhook(tx, workspaceId, actor, 'webhook.disabled', webhook, { reason });
  return update(tx, workspaceId, id, 'disabled_at = $3, disabled_reason = $4', [now, reason]);
}

export async function deleteWebhook(tx: Queryable, actor: Actor, workspaceId: number, id: number): Promise<void> {
  const deleted = await queryOptional<{ id: number; url: string }>(
    tx,
    'delete from webhooks where workspace_id = $1 and id = $2 returning id, url',
    [workspaceId, id],
  );
  if (!deleted) throw noWebhook();
  await auditWebhook(tx, workspaceId, actor, 'webhook.deleted', deleted);
}

export function auditWebhook(
  tx: Queryable,
  workspaceId: number,
  actor: Actor,
  action: AuditAction,
  { id, url }: { id: number; url: string },
  detail: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  return audit(tx, { workspaceId, actor, action, subject: { id, name: url }, detail });
}

/** Changes columns of a webhook and returns it, or fails if it does not exist. The first value is $3. */
async function update(
  tx: Queryable,
  workspaceId: number,
  id: number,
  assignments: string,
  values: readonly unknown[] = [],
): Promise<StoredWebhook> {
  await tx.query(`update webhooks set ${assignments} where workspace_id = $1 and id = $2`, [
    workspaceId,
    id,
    ...values,
  ]);
  return findWebhook(tx, workspaceId, id);
}

function noWebhook(): Failure {
  return new Failure('missing', 'There is no webhook with this id in this workspace: list its webhooks.');
}

const selectSql = `
  select w.id, w.url, w.types, w.ordering, w.description,
         w.disabled_at is null  as enabled,
         w.disabled_reason      as "disabledReason",
         w.cursor               as "deliveredThrough",
         (select count(*)
            from webhook_retries r
           where r.workspace_id = $1
             and r.webhook_id = w.id) as "waitingRetries",
         ${utc('w.failing_since')} as "failingSince",
         ${shownPosts}          as posts,
         ${utc('w.created_at')} as "createdAt",
         w.key_version          as "keyVersion",
         w.secret_version       as "secretVersion",
         w.secret_salt          as "secretSalt",
         w.previous_salt        as "previousSalt",
         ${historyId}           as history,
         w.rotated_at           as "rotatedAt",
         now()                  as "readAt"
    from webhooks w`;
