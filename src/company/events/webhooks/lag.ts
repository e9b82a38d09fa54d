import { type Queryable, queryOne } from '../../../ground/database/database.ts';
import { countOfNumbers } from '../../../ground/database/history.ts';

/** Counting more would take long, and they are as urgent. */
const mostRetries = 10_000;

/** Of the enabled webhook that is furthest behind. */
export interface WebhookLag {
  /** Events that it has not received yet, with those that are tried again (at most 10,000 of these). */
  events: number;
  /** How old the oldest of them is. */
  seconds: number;
}

const eventCount = countOfNumbers({
  table: 'events',
  of: 'n.workspace_id = w.workspace_id',
  after: 'received.cursor',
  latest: 'c.latest',
});

export function readWebhookLag(on: Queryable): Promise<WebhookLag> {
  return queryOne<WebhookLag>(
    on,
    `select coalesce(max(behind.events + tried.events), 0)::float8 as events,
            coalesce(max(extract(epoch from clock_timestamp() - next.created_at)), 0)::float8 as seconds
       from webhooks w
       join event_counters c on c.workspace_id = w.workspace_id
      cross join lateral (select greatest(w.cursor, c.removed_through) as cursor) received
      cross join lateral (select ${eventCount} as events) behind
      cross join lateral (select count(*) as events, min(r.number) as oldest
                            from (select number
                                    from webhook_retries
                                   where w.has_retries
                                     and workspace_id = w.workspace_id
                                     and webhook_id = w.id
                                   order by number
                                   limit ${mostRetries}) r) tried
       left join lateral (select e.created_at
                            from events e
                           where e.workspace_id = w.workspace_id
                             and e.number >= coalesce(tried.oldest, received.cursor + 1)
                           order by e.number
                           limit 1) next on behind.events + tried.events > 0
      where w.disabled_at is null`,
  );
}
