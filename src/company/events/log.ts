import type { EventRecord, EventType, NewEvent } from '../../ground/contract/event.ts';
import type { Queryable } from '../../ground/database/database.ts';
import { historyBase } from '../../ground/database/history.ts';
import { currentTraceparent } from '../../ground/traces/spans.ts';

/**
 * Appends events to a workspace's log, in the transaction that makes the change. The caller holds the workspace's lock:
 * that is why the numbers follow the sequence of commits, without a gap within a history. One statement for any number of events. Their
 * times never go back, also if the clock does.
 */
export async function appendEvents(
  tx: Queryable,
  workspaceId: number,
  at: Date | string,
  events: readonly NewEvent[],
): Promise<void> {
  if (events.length === 0) return;
  const types = events.map(({ type }) => type).join('\n');
  const data = events.map((event) => JSON.stringify(event.data)).join('\n');
  await tx.query(appendSql, [workspaceId, at, types, data, events.length, tracesOf(events)]);
}

/** The trace of each event, a line each; null if none has one. */
function tracesOf(events: readonly NewEvent[]): string | null {
  const current = currentTraceparent();
  const traces = events.map(({ traceparent }) => traceparent ?? current ?? '');
  return traces.some((one) => one !== '') ? traces.join('\n') : null;
}

// Types and data are sent as lines: neither contains a line break, and an array would have to escape every quotation mark of the JSON.
const appendSql = `
  with counter as (
    insert into event_counters as c (workspace_id, latest, latest_at)
    values ($1, coalesce(${historyBase}, 0) + $5::bigint, $2)
        on conflict (workspace_id)
        do update set latest = greatest(c.latest, ${historyBase}) + $5::bigint, latest_at = greatest(c.latest_at, excluded.latest_at)
    returning latest, latest_at
  )
  insert into events (workspace_id, number, type, created_at, data, traceparent)
  select $1, counter.latest - $5::bigint + event.position, event.type, counter.latest_at, event.data::json, nullif(event.traceparent, '')
    from counter,
         rows from (string_to_table($3, E'\\n'), string_to_table($4, E'\\n'), string_to_table($6, E'\\n'))
           with ordinality as event (type, data, traceparent, position)`;

export interface EventRow {
  number: number;
  type: EventType;
  createdAt: Date;
  data: Record<string, unknown>;
}

/** The columns of an EventRow, of `events e`. */
export const eventColumns = 'e.number, e.type, e.created_at as "createdAt", e.data';

export function eventId(workspaceId: number, number: number): string {
  return `evt_${workspaceId}_${number}`;
}

/** An event as it goes over the wire, pulled or pushed. */
export function eventRecord(workspaceId: number, { number, type, createdAt, data }: EventRow): EventRecord {
  return {
    id: eventId(workspaceId, number),
    number,
    type,
    timestamp: createdAt.toISOString(),
    workspaceId,
    data,
  };
}
