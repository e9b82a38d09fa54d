import type { AutomationTerms } from '../../src/ground/contract/automation.ts';
import { publicHolidays } from './automations-holidays.ts';

/*
 * What automations should do, said a second time: day by day, person by person, without the code of src/giving/automations. A day is looked at on
 * its own, and the question is whether it is the day of a person. The program asks the other way round, for the days of a person.
 */

export interface ModelPerson {
  birthday: string | null;
  hireDate: string | null;
  lastRecognizedOn: string | null;
  country: string | null;
  timeZone: string;
}

export interface ModelDay {
  /** 2027-03-31 */
  text: string;
  monthDay: string;
  year: number;
  isWeekend: boolean;
  /** Days since 1 January 2000. */
  nth: number;
}

type Terms = Pick<AutomationTerms, 'trigger' | 'action' | 'onLeapDay' | 'onDayOff' | 'hour'>;

const dayMs = 24 * 60 * 60 * 1000;
const days = new Map<number, ModelDay>();
const byText = new Map<string, ModelDay>();

/** The day that is some days after 1 January 2000. */
export function dayNth(nth: number): ModelDay {
  let day = days.get(nth);
  if (!day) {
    const date = new Date(Date.UTC(2000, 0, 1, 12));
    date.setUTCDate(date.getUTCDate() + nth);
    const text = date.toISOString().slice(0, 10);
    const isWeekend = ['Sat', 'Sun'].includes(date.toUTCString().slice(0, 3));
    day = { text, monthDay: text.slice(5), year: date.getUTCFullYear(), isWeekend, nth };
    days.set(nth, day);
  }
  return day;
}

export function dayOf(text: string): ModelDay {
  let day = byText.get(text);
  if (!day) {
    day = dayNth(Math.round((Date.parse(`${text}T12:00:00Z`) - Date.UTC(2000, 0, 1, 12)) / dayMs));
    byText.set(text, day);
  }
  return day;
}

/** Whether a day is celebrated as this day of the year. 29 February is celebrated in other years as the terms say. */
function isDayOfYear(day: ModelDay, monthDay: string, onLeapDay: Terms['onLeapDay']): boolean {
  if (day.monthDay === monthDay) return true;
  if (monthDay !== '02-29') return false;
  const isAsked = day.monthDay === { FEB_28: '02-28', MAR_1: '03-01', LEAP_YEARS: '' }[onLeapDay];
  // In a leap year, the date object of 29 February is in February.
  return isAsked && new Date(Date.UTC(day.year, 1, 29)).getUTCMonth() !== 1;
}

/** The years that are celebrated, and their amounts. */
function celebrated({ byYears = [], further, amount }: Terms['action']): Map<number, number | null> {
  const found = new Map<number, number | null>();
  for (let years = 1; years <= 120; years += 1) {
    const tier = byYears.find((one) => one.years === years);
    const isPast = byYears.every((one) => one.years < years);
    if (byYears.length === 0) found.set(years, amount ?? null);
    else if (tier) found.set(years, tier.amount ?? amount ?? null);
    else if (isPast && further && Number.isInteger(years / further.every))
      found.set(years, further.amount ?? amount ?? null);
  }
  return found;
}

export interface ModelOccasion {
  forDay: string;
  years: number | null;
  amount: number | null;
}

/** Says for a day and a person whether an automation celebrates it. */
export function celebration(terms: Terms): (day: ModelDay, person: ModelPerson) => ModelOccasion | null {
  const { trigger, action, onLeapDay } = terms;
  const byYears = celebrated(action);
  const amountOf = (amount: number | null | undefined) => (action.is === 'GIFT' ? (amount ?? null) : null);
  const plain = (day: ModelDay): ModelOccasion => ({ forDay: day.text, years: null, amount: amountOf(action.amount) });
  const after = (day: ModelDay, start: string | null, count: number) =>
    start !== null && dayOf(start).nth + count === day.nth ? plain(day) : null;
  return (day, { birthday, hireDate, lastRecognizedOn }) => {
    if (trigger.is === 'BIRTHDAY')
      return birthday !== null && isDayOfYear(day, birthday, onLeapDay) ? plain(day) : null;
    if (trigger.is === 'YEARLY') return isDayOfYear(day, trigger.monthDay as string, onLeapDay) ? plain(day) : null;
    if (trigger.is === 'ONCE') return day.text === trigger.day ? plain(day) : null;
    if (trigger.is === 'AFTER_HIRE') return after(day, hireDate, trigger.days as number);
    if (trigger.is === 'UNRECOGNIZED') return after(day, lastRecognizedOn ?? hireDate, trigger.days as number);
    if (hireDate === null || !isDayOfYear(day, hireDate.slice(5), onLeapDay)) return null;
    const years = day.year - Number(hireDate.slice(0, 4));
    if (!byYears.has(years)) return null;
    return { forDay: day.text, years, amount: amountOf(byYears.get(years)) };
  };
}

/** The day on which something for a day goes out. */
export function sentOn(day: ModelDay, onDayOff: Terms['onDayOff'], country: string | null): ModelDay {
  if (onDayOff === 'SAME_DAY') return day;
  let found = day;
  while (found.isWeekend || isHoliday(found, country)) found = dayNth(found.nth + (onDayOff === 'BEFORE' ? -1 : 1));
  return found;
}

function isHoliday({ year, monthDay }: ModelDay, country: string | null): boolean {
  if (country === null) return false;
  return (publicHolidays[country]?.[year] ?? '').split(' ').includes(monthDay.replace('-', ''));
}

const clocks = new Map<string, Intl.DateTimeFormat>();

/** What a clock in a time zone shows, as `2027-03-31 08:00`. */
export function shownAt(moment: number, timeZone: string): string {
  let clock = clocks.get(timeZone);
  if (!clock) {
    // Sweden writes dates as ISO does.
    clock = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' });
    clocks.set(timeZone, clock);
  }
  return clock.format(moment);
}

const moments = new Map<string, number>();

/** The first moment of a day at which a clock shows the hour or a later one, found by looking at clocks. */
export function firstMoment({ text }: ModelDay, hour: number, timeZone: string): number {
  const key = `${text} ${hour} ${timeZone}`;
  const wanted = `${text} ${String(hour).padStart(2, '0')}:00`;
  let moment = moments.get(key);
  if (moment === undefined) {
    const hourMs = 60 * 60 * 1000;
    moment = Date.parse(`${text}T00:00:00Z`) + (hour - 16) * hourMs;
    while (shownAt(moment, timeZone) < wanted) moment += hourMs;
    while (shownAt(moment - hourMs / 4, timeZone) >= wanted) moment -= hourMs / 4;
    moments.set(key, moment);
  }
  return moment;
}
