import type { Dispatcher } from 'undici';
import { clockFrom } from '../../../ground/database/clock.ts';
import type { Database, Queryable } from '../../../ground/database/database.ts';
import { tracePost } from '../../../ground/traces/spans.ts';
import { theService } from '../../workspaces/audit.ts';
import { inWorkspace } from '../../workspaces/lock.ts';
import { type EventRow, eventColumns, eventRecord } from '../log.ts';
import { mergedRecent, noteAttempts, recentAttempts } from './attempts.ts';
import { type ClaimedWebhook, claimedColumns, renewWebhookLease, webhookLeaseSeconds } from './claim.ts';
import { type DisabledReason, disableWebhook } from './endpoints.ts';
import { type Attempt, postEvent } from './post.ts';
import { failingTooLongMs, retryPause } from './schedule.ts';
import { type DeriveSecret, signingSecrets } from './signature.ts';
import { raisedPosts } from './tallies.ts';

export interface WebhookDelivery {
  database: Database;
  /** The HTTP client, which checks addresses. */
  agent: Dispatcher;
  deriveSecret: DeriveSecret;
  /** Ends what is under way when the service stops. Answers until then are written down; the other events are posted again by the next dispatcher. */
  signal: AbortSignal;
  onAttempts: (succeeded: number, failed: number) => void;
  onDisabled: (webhook: ClaimedWebhook, reason: DisabledReason) => void;
}

/** An event to post, and how often that was tried before. */
type Parcel = EventRow & { attempts: number; isRetry: boolean; traceparent: string | null };
type Posted = Parcel & { attempt: Attempt };

/** The most events of an endpoint that are read and written together. */
const batchSize = 500;
const concurrency = 10;
// After this time a batch posts no further events, so that a slow endpoint's outcome is written down soon as well.
const postingMs = 3_000;

/**
 * Posts the next events of an endpoint and writes down what came of it. Nothing is posted inside a transaction. Returns
 * the endpoint as it stands then, or null when there is nothing more to do or another process delivers.
 */
export async function deliverNext(delivery: WebhookDelivery, webhook: ClaimedWebhook): Promise<ClaimedWebhook | null> {
  const { database } = delivery;
  const { posted, through } = await postAll(delivery, webhook, await readParcels(database, webhook));
  if (posted.length === 0 && through === webhook.cursor) return null;
  const failed = posted.filter(({ attempt }) => attempt.problem !== null);
  delivery.onAttempts(posted.length - failed.length, failed.length);
  const outcome = { webhook, posted, through };
  const renewed = posted.some(({ isRetry, attempt }) => isRetry || attempt.problem !== null)
    ? await database.transaction((tx) => saveWithRetries(tx, outcome))
    : await saveOutcome(database, outcome, false);
  const reason = renewed && (await reasonToDisable(database, webhook, posted));
  if (!reason) return renewed;
  await inWorkspace(database, webhook.workspaceId, (tx) =>
    disableWebhook(tx, theService, webhook.workspaceId, webhook.id, reason),
  );
  delivery.onDisabled(webhook, reason);
  return null;
}

interface ReadParcels {
  parcels: Parcel[];
  through: number;
}

/** Retries that are due, then events after the cursor. `through` is the number up to which the log was read. */
async function readParcels(database: Queryable, webhook: ClaimedWebhook): Promise<ReadParcels> {
  const { workspaceId, id, cursor, types, isStrict, isFailing, hasRetries } = webhook;
  const size = isFailing ? concurrency : batchSize;
  const retriesSql = isStrict ? firstRetriesSql : dueRetriesSql;
  const retries = hasRetries
    ? await database.query<Parcel & { isDue: boolean }>(retriesSql, [workspaceId, id, size])
    : [];
  // With strict ordering an event that failed comes before all others, and they wait until it is due.
  if (isStrict && retries.length > 0) return { parcels: leadingDue(retries), through: cursor };
  const fresh = await database.query<Parcel & { isWanted: boolean }>(freshSql, [workspaceId, cursor, size, types]);
  // An event that is replayed before it was delivered is among both.
  const retried = new Set(retries.map(({ number }) => number));
  return {
    parcels: [...retries, ...fresh.filter(({ isWanted, number }) => isWanted && !retried.has(number))],
    through: fresh.at(-1)?.number ?? cursor,
  };
}

/** Those before the first that is not due yet. */
function leadingDue<Retry extends { isDue: boolean }>(retries: Retry[]): Retry[] {
  const firstToWait = retries.findIndex(({ isDue }) => !isDue);
  return firstToWait < 0 ? retries : retries.slice(0, firstToWait);
}

/** Posts events in their sequence, several at a time. Of those that are left or were stopped, `through` stays before the first. */
async function postAll(delivery: WebhookDelivery, webhook: ClaimedWebhook, { parcels, through }: ReadParcels) {
  const { agent, deriveSecret, signal } = delivery;
  const clock = clockFrom(webhook.readAt);
  const signing = { secrets: signingSecrets(deriveSecret, webhook, clock()), clock };
  const stopsAt = performance.now() + postingMs;
  const posted: Posted[] = [];
  let taken = 0;
  const postInTurn = async () => {
    while (!signal.aborted && performance.now() < stopsAt) {
      const parcel = parcels[taken++];
      if (!parcel) return;
      const sent = { event: eventRecord(webhook.workspaceId, parcel), history: webhook.history };
      const attempt = await tracePost(parcel.traceparent, webhook.url, (headers) =>
        postEvent(agent, webhook.url, sent, signing, signal, headers),
      );
      // Ended by the stop of the service, not by the receiver.
      if (signal.aborted && attempt.problem !== null) return;
      posted.push({ ...parcel, attempt });
      if (webhook.isStrict && attempt.problem !== null) return;
    }
  };
  await Promise.all(Array.from({ length: webhook.isStrict ? 1 : concurrency }, postInTurn));
  const answered = new Set(posted.map(({ number }) => number));
  const firstLeft = parcels.find(({ isRetry, number }) => !isRetry && !answered.has(number));
  return { posted, through: firstLeft ? firstLeft.number - 1 : through };
}

/** With strict ordering the cursor stays at the event that failed. A retry does not move it: one that is replayed can lie far ahead. */
function cursorAfter({ isStrict, cursor }: ClaimedWebhook, posted: readonly Posted[], through: number): number {
  if (!isStrict) return through;
  const failed = posted.find(({ isRetry, attempt }) => !isRetry && attempt.problem !== null);
  return failed ? failed.number : Math.max(through, cursor);
}

interface Outcome {
  webhook: ClaimedWebhook;
  posted: readonly Posted[];
  through: number;
}

/** For a batch in which something failed, or had failed before. The lease's row is locked first. */
async function saveWithRetries(tx: Queryable, outcome: Outcome): Promise<ClaimedWebhook | null> {
  const { webhook, posted } = outcome;
  if (!(await renewWebhookLease(tx, webhook))) return null;
  await saveRetries(tx, webhook, posted);
  await noteAttempts(tx, webhook.workspaceId, webhook.id, posted);
  return saveOutcome(tx, outcome, true);
}

async function saveRetries(
  tx: Queryable,
  { workspaceId, id }: ClaimedWebhook,
  posted: readonly Posted[],
): Promise<void> {
  const again = posted.flatMap(({ number, attempts, attempt }) => {
    const pauseMs = attempt.problem === null ? null : retryPause(attempts + 1, attempt.retryAfterMs);
    return pauseMs === null ? [] : [{ number, attempts: attempts + 1, pauseMs }];
  });
  const kept = new Set(again.map(({ number }) => number));
  const done = posted.filter(({ number, isRetry }) => isRetry && !kept.has(number)).map(({ number }) => number);
  if (done.length > 0) await tx.query(doneSql, [workspaceId, id, done]);
  if (again.length > 0)
    await tx.query(againSql, [
      workspaceId,
      id,
      again.map(({ number }) => number),
      again.map(({ attempts }) => attempts),
      again.map(({ pauseMs }) => pauseMs),
    ]);
}

/** One statement is all that a healthy endpoint's batch writes. Null when another process has taken the lease. */
async function saveOutcome(on: Queryable, outcome: Outcome, changesRetries: boolean): Promise<ClaimedWebhook | null> {
  const { webhook, posted, through } = outcome;
  const failed = posted.filter(({ attempt }) => attempt.problem !== null);
  const [renewed] = await on.query<ClaimedWebhook>(outcomeSql, [
    webhook.workspaceId,
    webhook.id,
    webhook.owner,
    webhookLeaseSeconds,
    cursorAfter(webhook, posted, through),
    failed.length < posted.length,
    failed[0]?.attempt.at ?? null,
    recentAttempts(posted),
    changesRetries,
    posted.length - failed.length,
    failed.length,
  ]);
  return renewed ?? null;
}

async function reasonToDisable(
  database: Queryable,
  { workspaceId, id }: ClaimedWebhook,
  posted: readonly Posted[],
): Promise<DisabledReason | null> {
  if (posted.some(({ attempt }) => attempt.status === 410)) return 'GONE';
  if (posted.every(({ attempt }) => attempt.problem === null)) return null;
  const failing = await database.query(
    `select from webhooks
      where workspace_id = $1 and id = $2 and failing_since < now() - $3::float8 * interval '1 millisecond'`,
    [workspaceId, id, failingTooLongMs],
  );
  return failing.length > 0 ? 'FAILING' : null;
}

// Not clock_timestamp(): it can change while the statement runs, so an index cannot find what is before it.
const waitingSql = (condition: string, order: string) => `
  select ${eventColumns}, e.traceparent, r.attempts, true as "isRetry", r.next_at <= now() as "isDue"
    from webhook_retries r
    join events e on e.workspace_id = r.workspace_id and e.number = r.number
   where r.workspace_id = $1
     and r.webhook_id = $2
     and ${condition}
   order by ${order}
   limit $3`;
// Two statements, so that each has its index: one over both conditions would read all retries that are not due.
const firstRetriesSql = waitingSql('true', 'r.number');
const dueRetriesSql = waitingSql('r.next_at <= now()', 'r.next_at');

const freshSql = `
  select ${eventColumns}, e.traceparent, 0 as attempts, false as "isRetry",
         cardinality($4::text[]) = 0 or e.type = any($4) as "isWanted"
    from events e
   where e.workspace_id = $1
     and e.number > $2
   order by e.number
   limit $3`;

const doneSql = `
  delete from webhook_retries
   where workspace_id = $1
     and webhook_id = $2
     and number = any($3::bigint[])`;

// An event that was removed because of its age while it was posted is not tried again.
const againSql = `
  insert into webhook_retries (workspace_id, webhook_id, number, attempts, next_at)
  select $1, $2, again.number, again.attempts, now() + again.pause_ms * interval '1 millisecond'
    from unnest($3::bigint[], $4::int[], $5::float8[]) as again (number, attempts, pause_ms)
    join event_counters c on c.workspace_id = $1 and c.removed_through < again.number
      on conflict (workspace_id, webhook_id, number)
      do update set attempts = excluded.attempts, next_at = excluded.next_at`;

const outcomeSql = `
  update webhooks w
     set lease_until   = clock_timestamp() + make_interval(secs => $4),
         cursor        = greatest(cursor, $5),
         failing_since = case when $6 then null else coalesce(failing_since, $7) end,
         recent        = ${mergedRecent('$8')},
         posts         = ${raisedPosts('$10', '$11')},
         has_retries   = case when not $9 then has_retries
                              else exists (select from webhook_retries
                                            where workspace_id = $1
                                              and webhook_id = $2) end
   where workspace_id = $1
     and id = $2
     and lease_owner = $3
     and disabled_at is null
  returning ${claimedColumns}`;
