import { appendEvents } from '../../company/events/log.ts';
import type { NewEvent } from '../../ground/contract/event.ts';
import type { Queryable } from '../../ground/database/database.ts';
import type { StoredOccurrence } from './store.ts';

/** Tells what could not go out as it should have, and what goes out late. The caller holds the workspace's lock. */
export function tellOccurrences(
  tx: Queryable,
  workspaceId: number,
  moment: string,
  automationId: number,
  rows: readonly StoredOccurrence[],
): Promise<void> {
  const events = rows.flatMap(({ id, memberId, forDay, state, reason, daysLate }): NewEvent[] => {
    const data = { automationId, occurrenceId: id, memberId, forDay };
    const isMissed = state === 'NOT_DONE' || state === 'MESSAGE_ONLY' || reason === 'TOO_LATE';
    if (isMissed) return [{ type: 'automation.not_done', data: { ...data, state, reason } }];
    return state === 'SENT' && daysLate > 0 ? [{ type: 'automation.late', data: { ...data, daysLate } }] : [];
  });
  return appendEvents(tx, workspaceId, moment, events);
}
