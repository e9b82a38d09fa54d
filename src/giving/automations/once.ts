import type { AutomationTerms } from '../../ground/contract/automation.ts';
import type { OccurrenceReason, OccurrenceState } from '../../ground/contract/occurrence.ts';
import { addDays, daysBetween } from '../../ground/values/calendar.ts';
import type { Occasion } from './occasions.ts';

/** A row of `occurrences` of a person and an automation, or of a record that was merged into the person. */
export interface EarlierOccurrence extends Occasion {
  state: OccurrenceState;
  reason: OccurrenceReason | null;
}

/** Dates that are corrected move a day of the year by less than this; two days of the same occasion are further apart. */
const halfYear = 180;

/**
 * Whether an earlier occurrence stands for the same occasion, so that this one must not be paid. The day itself may differ: a date was corrected,
 * two records were merged, or a person has returned. What a manager was asked for has not happened yet. A day that was noticed too late stands for
 * itself alone: it may have been a date that was wrong.
 */
export function isSameOccasion(
  trigger: AutomationTerms['trigger'],
  earlier: EarlierOccurrence,
  { forDay, years }: Occasion,
): boolean {
  if (earlier.state === 'ASKED') return false;
  if (earlier.reason === 'TOO_LATE') return earlier.forDay === forDay;
  switch (trigger.is) {
    case 'BIRTHDAY':
    case 'ANNIVERSARY':
    case 'YEARLY':
      return (
        earlier.forDay.slice(0, 4) === forDay.slice(0, 4) ||
        (years !== null && earlier.years === years) ||
        Math.abs(daysBetween(earlier.forDay, forDay)) < halfYear
      );
    case 'AFTER_HIRE':
    case 'ONCE':
      return true;
    case 'UNRECOGNIZED':
      // The stretch without recognition begins with the last one, or with the first day.
      return earlier.forDay > addDays(forDay, -(trigger.days ?? 1));
  }
}
