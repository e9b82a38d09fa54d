import { appendEvents } from '../../company/events/log.ts';
import type { AutomationTerms } from '../../ground/contract/automation.ts';
import type { NewEvent } from '../../ground/contract/event.ts';
import type { Queryable } from '../../ground/database/database.ts';
import type { StoredOccurrence } from './store.ts';

/** Tells what could not go out as it should have, and what goes out late. Birthdays are private, so their days are left out. The caller holds the workspace's lock. */
export function tellOccurrences(
  tx: Queryable,
  workspaceId: number,
  moment: string,
  { id: automationId, terms: { trigger } }: { id: number; terms: Pick<AutomationTerms, 'trigger'> },
  rows: readonly StoredOccurrence[],
): Promise<void> {
  const events = rows.flatMap(({ id, memberId, forDay, state, reason, daysLate }): NewEvent[] => {
    const data = { automationId, occurrenceId: id, memberId, ...(trigger.is !== 'BIRTHDAY' && { forDay }) };
    const isMissed = state === 'NOT_DONE' || state === 'MESSAGE_ONLY' || reason === 'TOO_LATE';
    if (isMissed) return [{ type: 'automation.not_done', data: { ...data, state, reason } }];
    return state === 'SENT' && daysLate > 0 ? [{ type: 'automation.late', data: { ...data, daysLate } }] : [];
  });
  return appendEvents(tx, workspaceId, moment, events);
}
