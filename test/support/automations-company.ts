import type { AutomationTerms } from '../../src/ground/contract/automation.ts';
import { celebration, dayNth, dayOf, firstMoment, type ModelDay, sentOn, shownAt } from './automations-model.ts';

/** A record of the directory. */
export interface CompanyRecord {
  id: number;
  mergedInto: number | null;
  birthday: string | null;
  hireDate: string | null;
  /** Moments are in milliseconds. */
  lastRecognizedAt: number | null;
  country: string | null;
  timeZone: string | null;
  leftAt: number | null;
  leavesOn: string | null;
  leaveStartsOn: string | null;
  leaveEndsOn: string | null;
}

/** An automation that is on, and since when. */
export interface CompanyRule {
  id: number;
  terms: AutomationTerms;
  since: number;
}

/** What came of one occasion of one record. */
export interface CompanyRow {
  ruleId: number;
  recordId: number;
  forDay: string;
  years: number | null;
  amount: number | null;
  outcome: string;
  daysLate: number;
}

const dayMs = 24 * 60 * 60 * 1000;
/** What is older than a year is not listed. */
const oldest = 366;

/**
 * A company whose automations look at the days that have come, one by one. It remembers what happened, and nothing else. What it is told about people
 * is as they are at that moment.
 */
export class CompanyModel {
  readonly rows: CompanyRow[] = [];
  readonly #looked = new Map<string, ModelDay>();

  look(now: number, workspaceZone: string, records: readonly CompanyRecord[], rules: readonly CompanyRule[]): void {
    const people = records.filter(({ mergedInto }) => mergedInto === null);
    const zones = new Set([null, ...people.map(({ timeZone }) => timeZone)]);
    for (const rule of rules)
      for (const own of zones) {
        const key = `${rule.id} ${own}`;
        const zone = own ?? workspaceZone;
        const day = latestDay(now, rule.terms.hour, zone);
        const looked = this.#looked.get(key);
        if (looked && looked.nth >= day.nth) continue;
        const first = Math.max(
          Math.min(looked ? looked.nth + 1 : day.nth, day.nth - rule.terms.catchUpDays),
          day.nth - oldest,
          dayShown(rule.since, zone).nth,
        );
        for (const person of people)
          if (person.timeZone === own && !(person.leftAt !== null && now - person.leftAt >= oldest * dayMs))
            this.#lookAt(rule, person, records, workspaceZone, zone, first, day);
        this.#looked.set(key, day);
      }
  }

  #lookAt(
    rule: CompanyRule,
    person: CompanyRecord,
    records: readonly CompanyRecord[],
    workspaceZone: string,
    zone: string,
    first: number,
    day: ModelDay,
  ): void {
    const { terms, since } = rule;
    const { lastRecognizedAt } = person;
    const lastRecognizedOn = lastRecognizedAt === null ? null : dayShown(lastRecognizedAt, workspaceZone).text;
    const celebrates = celebration(terms);
    const own = new Set([person.id, ...records.filter((one) => one.mergedInto === person.id).map(({ id }) => id)]);
    for (let nth = first - 25; nth <= day.nth + 25; nth += 1) {
      const occasion = celebrates(dayNth(nth), { ...person, lastRecognizedOn, timeZone: zone });
      if (!occasion) continue;
      const sendDay = sentOn(dayNth(nth), terms.onDayOff, person.country);
      if (sendDay.nth < first || sendDay.nth > day.nth) continue;
      if (firstMoment(sendDay, terms.hour, zone) < since) continue;
      const earlier = this.rows.filter((row) => row.ruleId === rule.id && own.has(row.recordId));
      if (earlier.some(({ forDay }) => forDay === occasion.forDay)) continue;
      const daysLate = day.nth - sendDay.nth;
      const isRepeated = earlier.some((row) => stands(terms, row, occasion));
      const outcome = isRepeated ? 'SKIPPED ALREADY_DONE' : outcomeOf(terms, person, sendDay.text, daysLate);
      this.rows.push({ ruleId: rule.id, recordId: person.id, ...occasion, outcome, daysLate });
    }
  }
}

function outcomeOf(terms: AutomationTerms, person: CompanyRecord, day: string, daysLate: number): string {
  const { leftAt, leavesOn, leaveStartsOn, leaveEndsOn } = person;
  if (terms.skipsLeft && (leftAt !== null || (leavesOn ?? '9999') < day)) return 'SKIPPED HAS_LEFT';
  const isOnLeave =
    (leaveStartsOn ?? leaveEndsOn) !== null && day >= (leaveStartsOn ?? '0000') && day <= (leaveEndsOn ?? '9999');
  if (terms.skipsOnLeave && isOnLeave) return 'SKIPPED ON_LEAVE';
  return daysLate > terms.catchUpDays ? 'SKIPPED TOO_LATE' : 'SENT';
}

/** Whether what happened for one day was for the same occasion. */
function stands(
  { trigger }: AutomationTerms,
  row: Pick<CompanyRow, 'forDay' | 'years'>,
  { forDay, years }: Pick<CompanyRow, 'forDay' | 'years'>,
): boolean {
  if (trigger.is === 'ONCE' || trigger.is === 'AFTER_HIRE') return true;
  const [before, now] = [dayOf(row.forDay), dayOf(forDay)];
  // A stretch without recognition lasts from its first day to now.
  if (trigger.is === 'UNRECOGNIZED') return before.nth > now.nth - (trigger.days as number);
  if (before.year === now.year) return true;
  if (years !== null && row.years === years) return true;
  return before.nth > now.nth - 180 && before.nth < now.nth + 180;
}

function dayShown(moment: number, zone: string): ModelDay {
  return dayOf(shownAt(moment, zone).slice(0, 10));
}

/** The last day whose hour has come. */
function latestDay(now: number, hour: number, zone: string): ModelDay {
  const today = dayShown(now, zone);
  return firstMoment(today, hour, zone) <= now ? today : dayNth(today.nth - 1);
}
