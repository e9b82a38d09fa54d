import type { WebhookAttempt } from '../../../ground/contract/webhook.ts';
import type { Queryable } from '../../../ground/database/database.ts';
import { takeFromSequence } from '../../../ground/database/ids.ts';
import type { RowRetention } from '../../workspaces/retention.ts';
import { eventId } from '../log.ts';
import type { Attempt } from './post.ts';
import { utc } from './utc.ts';

export interface PostedEvent {
  number: number;
  /** Attempts before this one. */
  attempts: number;
  attempt: Attempt;
}

const keptRecent = 20;
const keptFailures = 1_000;

/** Failures, and successes after a failure, get a row each. */
export async function noteAttempts(
  tx: Queryable,
  workspaceId: number,
  webhookId: number,
  posted: readonly PostedEvent[],
): Promise<void> {
  const noted = posted.filter(isNoted);
  if (noted.length === 0) return;
  const ids = await takeFromSequence(tx, 'webhook_attempt_ids', noted.length);
  const rows = noted.map((one, nth) => ({ id: ids[nth], ...row(one) }));
  await tx.query(noteSql, [workspaceId, webhookId, JSON.stringify(rows)]);
}

/** The other attempts stand on the webhook itself, the latest first, so that a healthy endpoint costs no row for each event. */
export function recentAttempts(posted: readonly PostedEvent[]): string | null {
  const latest = posted
    .filter((one) => !isNoted(one))
    .slice(-keptRecent)
    .reverse();
  return latest.length > 0 ? JSON.stringify(latest.map(row)) : null;
}

/** The SQL of the webhook's recent attempts after those of a parameter, which may be null. */
export const mergedRecent = (parameter: string) => `
           case when ${parameter}::jsonb is null then recent
                else (select jsonb_agg(attempt order by position)
                        from jsonb_array_elements(${parameter}::jsonb || recent) with ordinality as a (attempt, position)
                       where position <= ${keptRecent}) end`;

function isNoted({ attempts, attempt }: PostedEvent): boolean {
  return attempts > 0 || attempt.problem !== null;
}

/** The latest attempts first. */
export async function listAttempts(
  database: Queryable,
  workspaceId: number,
  webhookId: number,
  size: number,
): Promise<WebhookAttempt[]> {
  const rows = await database.query<Omit<WebhookAttempt, 'eventId'> & { number: number }>(listSql, [
    workspaceId,
    webhookId,
    size,
  ]);
  return rows.map(({ number, ...attempt }) => ({ eventId: eventId(workspaceId, number), ...attempt }));
}

/** An endpoint that never answers fails for months: beside their number, their age is limited. */
export const webhookAttemptRetention: RowRetention = {
  kind: 'webhook-attempts',
  table: 'webhook_attempts',
  key: [
    ['webhook_id', 'bigint'],
    ['id', 'bigint'],
  ],
  isReached: 'true',
  isRemovable: 't.attempted_at < $2::timestamptz',
  usualDays: 90,
  leastDays: 1,
  what: "failed attempts to deliver an event, and the endpoint's response; at most 1,000 for a webhook",
  why: 'the company finds out why an endpoint has missed events',
};

/** Keeps the latest 1,000 of each webhook. Run from time to time. */
export async function removeOldAttempts(database: Queryable): Promise<void> {
  await database.query(
    `delete from webhook_attempts a
      using (select w.workspace_id, w.id,
                    (select id
                       from webhook_attempts
                      where workspace_id = w.workspace_id
                        and webhook_id = w.id
                      order by id desc
                     offset $1
                      limit 1) as oldest
               from webhooks w) kept
      where a.workspace_id = kept.workspace_id
        and a.webhook_id = kept.id
        and a.id <= kept.oldest`,
    [keptFailures],
  );
}

function row({ number, attempt }: PostedEvent) {
  const { at, status, durationMs, problem, answer } = attempt;
  return { number, attempted_at: at, status, duration_ms: durationMs, error: problem, answer };
}

const columns = 'number bigint, attempted_at timestamptz, status int, duration_ms int, error text, answer text';

const noteSql = `
  insert into webhook_attempts (workspace_id, webhook_id, id, number, attempted_at, status, duration_ms, error, answer)
  select $1, $2, a.id, a.number, a.attempted_at, a.status, a.duration_ms, a.error, a.answer
    from jsonb_to_recordset($3::jsonb) as a (id bigint, ${columns})`;

const listSql = `
  select a.number,
         e.type,
         ${utc('a.attempted_at')} as "attemptedAt",
         a.error is null as succeeded,
         a.status,
         a.duration_ms as "durationMs",
         a.error,
         a.answer
    from (select number, attempted_at, status, duration_ms, error, answer
            from webhook_attempts
           where workspace_id = $1
             and webhook_id = $2
           union all
          select r.number, r.attempted_at, r.status, r.duration_ms, r.error, r.answer
            from webhooks w
           cross join jsonb_to_recordset(w.recent) as r (${columns})
           where w.workspace_id = $1
             and w.id = $2) a
    left join events e on e.workspace_id = $1 and e.number = a.number
   order by a.attempted_at desc, a.number desc
   limit $3`;
