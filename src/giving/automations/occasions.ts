import type { AutomationAction, AutomationTerms } from '../../ground/contract/automation.ts';
import { addDays } from '../../ground/values/calendar.ts';
import { type IsHoliday, longestMove, sendDayOf } from './working-days.ts';

/** The dates of a person, of which an automation may wait for one. */
export interface PersonDates {
  /** Month and day. */
  birthday: string | null;
  hireDate: string | null;
  /** In the workspace's time zone. */
  lastRecognizedOn: string | null;
}

/** The day that is celebrated, and of an anniversary how many years. */
export interface Occasion {
  forDay: string;
  years: number | null;
}

/** An occasion, and the day on which it goes out. */
export interface PlannedOccasion extends Occasion {
  sendDay: string;
}

export type OccasionTerms = Pick<AutomationTerms, 'trigger' | 'action' | 'onLeapDay'>;

/** The occasions of a person from one day to another, both included, the earliest first. */
export function occasionsOf(terms: OccasionTerms, person: PersonDates, from: string, to: string): Occasion[] {
  const { trigger, action, onLeapDay } = terms;
  switch (trigger.is) {
    case 'BIRTHDAY':
      return yearly(person.birthday, onLeapDay, from, to);
    case 'YEARLY':
      return yearly(trigger.monthDay, onLeapDay, from, to);
    case 'ANNIVERSARY': {
      if (!person.hireDate) return [];
      const hiredIn = yearOf(person.hireDate);
      return yearly(person.hireDate.slice(5), onLeapDay, from, to)
        .map(({ forDay }) => ({ forDay, years: yearOf(forDay) - hiredIn }))
        .filter(({ years }) => isCelebrated(action, years));
    }
    case 'AFTER_HIRE':
      return once(person.hireDate && addDays(person.hireDate, trigger.days ?? 0), from, to);
    case 'ONCE':
      return once(trigger.day, from, to);
    case 'UNRECOGNIZED': {
      const since = person.lastRecognizedOn ?? person.hireDate;
      return once(since && addDays(since, trigger.days ?? 1), from, to);
    }
  }
}

/** The occasions that go out from one day to another, both included, the earliest first. */
export function occasionsSentBetween(
  terms: OccasionTerms & Pick<AutomationTerms, 'onDayOff'>,
  person: PersonDates & { country: string | null },
  from: string,
  to: string,
  isHoliday: IsHoliday,
): PlannedOccasion[] {
  const { onDayOff } = terms;
  const first = onDayOff === 'AFTER' ? addDays(from, -longestMove) : from;
  const last = onDayOff === 'BEFORE' ? addDays(to, longestMove) : to;
  const found: PlannedOccasion[] = [];
  for (const occasion of occasionsOf(terms, person, first, last)) {
    const sendDay = sendDayOf(occasion.forDay, onDayOff, person.country, isHoliday);
    if (sendDay >= from && sendDay <= to) found.push({ ...occasion, sendDay });
  }
  return found;
}

/** The amount of a gift; null if the action is no gift, or has no amount. */
export function amountByYears(action: AutomationAction, years: number | null): number | null {
  if (action.is !== 'GIFT') return null;
  const tiers = years === null ? [] : (action.byYears ?? []);
  if (tiers.length === 0) return action.amount ?? null;
  const tier = tiers.find((one) => one.years === years);
  return (tier ? tier.amount : action.further?.amount) ?? action.amount ?? null;
}

/** Zero years are never celebrated. */
function isCelebrated({ byYears, further }: AutomationAction, years: number): boolean {
  if (years < 1) return false;
  if (!byYears || byYears.length === 0) return true;
  if (byYears.some((tier) => tier.years === years)) return true;
  const last = Math.max(...byYears.map((tier) => tier.years));
  return further !== undefined && years > last && years % further.every === 0;
}

function yearly(
  monthDay: string | null | undefined,
  onLeapDay: AutomationTerms['onLeapDay'],
  from: string,
  to: string,
): Occasion[] {
  if (!monthDay) return [];
  const found: Occasion[] = [];
  for (let year = yearOf(from); year <= yearOf(to); year += 1) {
    const forDay = dayInYear(monthDay, year, onLeapDay);
    if (forDay && forDay >= from && forDay <= to) found.push({ forDay, years: null });
  }
  return found;
}

function dayInYear(monthDay: string, year: number, onLeapDay: AutomationTerms['onLeapDay']): string | null {
  const text = String(year).padStart(4, '0');
  if (monthDay !== '02-29' || isLeapYear(year)) return `${text}-${monthDay}`;
  if (onLeapDay === 'LEAP_YEARS') return null;
  return onLeapDay === 'FEB_28' ? `${text}-02-28` : `${text}-03-01`;
}

function once(day: string | null | undefined, from: string, to: string): Occasion[] {
  return day && day >= from && day <= to ? [{ forDay: day, years: null }] : [];
}

function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

function yearOf(day: string): number {
  return Number(day.slice(0, 4));
}
