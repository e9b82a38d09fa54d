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
  /** Whether an email address or a number is known. */
  canBeReached: boolean;
}

/** An automation, and since when it is on. */
export interface CompanyRule {
  id: number;
  terms: AutomationTerms;
  isOn: boolean;
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
  dueAt: number;
  /** Whether it goes out with this look. */
  isOpen: boolean;
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
  /** What the budgets of rules have left. Other rules are not limited. */
  readonly left = new Map<number, number>();

  look(now: number, workspaceZone: string, records: readonly CompanyRecord[], rules: readonly CompanyRule[]): void {
    const people = records.filter(({ mergedInto }) => mergedInto === null);
    const zones = new Set([null, ...people.map(({ timeZone }) => timeZone)]);
    for (const rule of rules.filter(({ isOn }) => isOn))
      for (const own of zones) {
        const key = `${rule.id} ${own}`;
        const zone = own ?? workspaceZone;
        const day = latestDay(now, rule.terms.hour, zone);
        const looked = this.#looked.get(key);
        if (looked && looked.nth >= day.nth) continue;
        const first = Math.max(
          Math.min(looked ? looked.nth + 1 : day.nth, day.nth - Math.max(rule.terms.catchUpDays, noticed(rule.terms))),
          day.nth - oldest,
          dayShown(rule.since, zone).nth,
        );
        for (const person of people)
          if (person.timeZone === own && !(rule.terms.skipsLeft && isLongGone(person, now)))
            this.#lookAt(rule, person, records, workspaceZone, zone, first, day);
        this.#looked.set(key, day);
      }
    for (const rule of rules) this.#pay(rule);
  }

  /** The earlier ones are paid first. What is not paid is its message alone, or nothing; a message that went out is not taken back. */
  #pay({ id, terms: { ifShort } }: CompanyRule): void {
    const open = this.rows.filter((row) => row.ruleId === id && row.isOpen).sort((a, b) => a.dueAt - b.dueAt);
    for (const row of open) {
      const left = (this.left.get(id) ?? Number.POSITIVE_INFINITY) - (row.amount ?? 0);
      const isMessage = ifShort === 'MESSAGE' || row.outcome === 'MESSAGE_ONLY NO_MONEY';
      if (left >= 0 && this.left.has(id)) this.left.set(id, left);
      row.outcome = left >= 0 ? 'SENT' : `${isMessage ? 'MESSAGE_ONLY' : 'NOT_DONE'} NO_MONEY`;
      row.isOpen = false;
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
      const dueAt = firstMoment(sendDay, terms.hour, zone);
      if (dueAt < since) continue;
      const earlier = this.rows.filter((row) => row.ruleId === rule.id && own.has(row.recordId));
      if (earlier.some(({ forDay }) => forDay === occasion.forDay)) continue;
      const daysLate = day.nth - sendDay.nth;
      const isRepeated = earlier.some((row) => stands(terms, row, occasion));
      const outcome = isRepeated ? 'SKIPPED ALREADY_DONE' : outcomeOf(terms, person, sendDay.text, daysLate);
      const isOpen = outcome === 'SENT';
      this.rows.push({ ruleId: rule.id, recordId: person.id, ...occasion, outcome, daysLate, dueAt, isOpen });
    }
  }
}

/** How far back a day is noticed that a change has moved into the past: zones differ by two days, and a day off moves others by up to 15. */
function noticed({ onDayOff }: AutomationTerms): number {
  return onDayOff === 'SAME_DAY' ? 2 : 17;
}

function isLongGone({ leftAt }: CompanyRecord, now: number): boolean {
  return leftAt !== null && now - leftAt >= oldest * dayMs;
}

function outcomeOf(terms: AutomationTerms, person: CompanyRecord, day: string, daysLate: number): string {
  const { leftAt, leavesOn, leaveStartsOn, leaveEndsOn } = person;
  if (terms.skipsLeft && (leftAt !== null || (leavesOn ?? '9999') < day)) return 'SKIPPED HAS_LEFT';
  const isOnLeave =
    (leaveStartsOn ?? leaveEndsOn) !== null && day >= (leaveStartsOn ?? '0000') && day <= (leaveEndsOn ?? '9999');
  if (terms.skipsOnLeave && isOnLeave) return 'SKIPPED ON_LEAVE';
  if (daysLate > terms.catchUpDays) return 'SKIPPED TOO_LATE';
  return person.canBeReached ? 'SENT' : 'NOT_DONE NO_ADDRESS';
}

/** Whether what happened for one day was for the same occasion. */
function stands(
  { trigger }: AutomationTerms,
  row: Pick<CompanyRow, 'forDay' | 'years' | 'outcome'>,
  { forDay, years }: Pick<CompanyRow, 'forDay' | 'years'>,
): boolean {
  // A day that was noticed too late stands for itself alone, and the person's other rows were compared with this day before.
  if (row.outcome === 'SKIPPED TOO_LATE') return false;
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
