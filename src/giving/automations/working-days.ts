import type { AutomationTerms } from '../../ground/contract/automation.ts';
import { addDays, weekdayOf } from '../../ground/values/calendar.ts';

type OnDayOff = AutomationTerms['onDayOff'];

/** Whether a day is a public holiday in all of a country. */
export type IsHoliday = (country: string, day: string) => boolean;

/** More days in a row than any country has off: Golden Week and the new years of Asia have at most ten. */
export const longestMove = 15;

/** The day on which an occasion goes out: the day itself or, if it is a day off, the nearest working day before or after it. */
export function sendDayOf(forDay: string, onDayOff: OnDayOff, country: string | null, isHoliday: IsHoliday): string {
  if (onDayOff === 'SAME_DAY') return forDay;
  const step = onDayOff === 'BEFORE' ? -1 : 1;
  let day = forDay;
  for (let moved = 0; moved < longestMove && isDayOff(day, country, isHoliday); moved += 1) day = addDays(day, step);
  return day;
}

function isDayOff(day: string, country: string | null, isHoliday: IsHoliday): boolean {
  const weekday = weekdayOf(day);
  return weekday === 0 || weekday === 6 || (country !== null && isHoliday(country, day));
}

/**
 * The holidays for automations that move days; for others there is nothing to load. The list of all countries takes 100 ms to load, and a
 * year of a country up to 50 ms to compute: both happen once, when they are first needed.
 */
export async function holidaysFor(onDayOff: readonly OnDayOff[]): Promise<IsHoliday> {
  if (onDayOff.every((one) => one === 'SAME_DAY')) return () => false;
  const { default: Holidays } = await import('date-holidays');
  return (country, day) => {
    const year = day.slice(0, 4);
    const key = `${country} ${year}`;
    let days = known.get(key);
    if (!days) {
      days = publicDays(new Holidays(country, { types: ['public'] }).getHolidays(Number(year)));
      known.set(key, days);
    }
    return days.has(day);
  };
}

/** By country and year. */
const known = new Map<string, ReadonlySet<string>>();

/** A holiday may take several days. One that begins at sunset is dated by the day after. */
function publicDays(holidays: { date: string; start: Date; end: Date }[]): ReadonlySet<string> {
  return new Set(
    holidays.flatMap(({ date, start, end }) => {
      const days = Math.max(1, Math.round((end.getTime() - start.getTime()) / 86_400_000));
      return Array.from({ length: days }, (_, nth) => addDays(date.slice(0, 10), nth));
    }),
  );
}
