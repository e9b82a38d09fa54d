import { randomUUID } from 'node:crypto';
import type { Queryable } from '../../../ground/database/database.ts';
import { historyId } from '../../../ground/database/history.ts';

/** An endpoint whose events this dispatcher delivers until the lease ends. */
export interface ClaimedWebhook {
  workspaceId: number;
  id: number;
  /** Names this claim in the lease. */
  owner: string;
  url: string;
  types: string[];
  isStrict: boolean;
  keyVersion: number;
  secretVersion: number;
  secretSalt: string | null;
  previousSalt: string | null;
  rotatedAt: Date | null;
  /** When it was read, by the database's clock. */
  readAt: Date;
  /** The id of the database's current history. */
  history: string;
  cursor: number;
  /** Whether every attempt has failed lately. */
  isFailing: boolean;
  /** Whether events may wait for another attempt. */
  hasRetries: boolean;
}

/** A dispatcher that dies leaves its endpoints to others after this time. */
export const webhookLeaseSeconds = 30;

/** How many endpoints a dispatcher can take now. */
export interface FreePlaces {
  all: number;
  /** How many of them may be failing. */
  failing: number;
}

/**
 * Claims endpoints that have something to deliver: an event after their cursor, or a retry that is due. An endpoint with
 * strict ordering waits for the retry of its first event. Healthy endpoints come first, then those that have waited longest.
 */
export async function claimWebhooks(database: Queryable, { all, failing }: FreePlaces): Promise<ClaimedWebhook[]> {
  // A new name each time: a replay ends a claim, and what that one still delivers must not count for the next.
  return database.query<ClaimedWebhook>(claimSql, [randomUUID(), webhookLeaseSeconds, all, failing]);
}

/**
 * Gives an endpoint back, so that any dispatcher may take it after a pause, or at once. The end of the lease tells when it was
 * served last.
 */
export async function releaseWebhook(
  database: Queryable,
  { workspaceId, id, owner }: ClaimedWebhook,
  pauseSeconds = 0,
): Promise<void> {
  await database.query(
    `update webhooks
        set lease_owner = null, lease_until = clock_timestamp() + make_interval(secs => $4)
      where workspace_id = $1
        and id = $2
        and lease_owner = $3`,
    [workspaceId, id, owner, pauseSeconds],
  );
}

/**
 * Keeps an endpoint for longer. In a transaction that writes what was delivered it also locks the endpoint's row. False when
 * this dispatcher has lost the lease, or the endpoint was disabled or deleted.
 */
export async function renewWebhookLease(tx: Queryable, { workspaceId, id, owner }: ClaimedWebhook): Promise<boolean> {
  const renewed = await tx.query(
    `update webhooks
        set lease_until = clock_timestamp() + make_interval(secs => $4)
      where workspace_id = $1
        and id = $2
        and lease_owner = $3
        and disabled_at is null
     returning id`,
    [workspaceId, id, owner, webhookLeaseSeconds],
  );
  return renewed.length > 0;
}

export const claimedColumns = `
  w.workspace_id as "workspaceId", w.id, w.lease_owner as owner, w.url, w.types, w.ordering = 'strict' as "isStrict",
  w.key_version as "keyVersion", w.secret_version as "secretVersion",
  w.secret_salt as "secretSalt", w.previous_salt as "previousSalt", ${historyId} as history, w.rotated_at as "rotatedAt", w.cursor,
  w.failing_since is not null as "isFailing", w.has_retries as "hasRetries", now() as "readAt"`;

const retriesSql = 'from webhook_retries r where r.workspace_id = w.workspace_id and r.webhook_id = w.id';

const dueSql = (health: string, limit: string) => `
    select w.workspace_id, w.id
      from webhooks w
      join event_counters c on c.workspace_id = w.workspace_id
     cross join lateral (
             select case when not w.has_retries then null
                         when w.ordering = 'strict' then (select r.next_at ${retriesSql} order by r.number limit 1)
                         else (select min(r.next_at) ${retriesSql}) end as next_at) retry
     where w.disabled_at is null
       and ${health}
       and (w.lease_until is null or w.lease_until <= clock_timestamp())
       and (retry.next_at <= clock_timestamp()
            or c.latest > greatest(w.cursor, c.removed_through) and (w.ordering = 'none' or retry.next_at is null))
     order by w.lease_until nulls first, w.workspace_id, w.id
     limit ${limit}
       for update of w skip locked`;

const claimSql = `
  with healthy as (${dueSql('w.failing_since is null', '$3::bigint')}
  ),
  failing as (${dueSql('w.failing_since is not null', 'least($4::bigint, $3::bigint - (select count(*) from healthy))')}
  )
  update webhooks w
     set lease_owner = $1, lease_until = clock_timestamp() + make_interval(secs => $2)
    from (select * from healthy union all select * from failing) due
   where w.workspace_id = due.workspace_id
     and w.id = due.id
  returning ${claimedColumns}`;
