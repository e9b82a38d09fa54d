const time = '([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(\\.\\d{1,9})?';
const zone = '(Z|[+-](0\\d|1[0-4]):[0-5]\\d)';
const momentForm = new RegExp(`^\\d{4}-\\d\\d-\\d\\dT${time}${zone}$`);

/** A day of the calendar as `2027-03-31`. PostgreSQL knows no year 0. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text) || text.startsWith('0000')) return false;
  const parsed = new Date(`${text}T00:00:00Z`);
  // JavaScript takes 30 February for 2 March.
  return !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(text);
}

/**
 * The days that reports can be asked about. Nothing was given outside of them, and the days that a report reckons from them, such as the
 * month before, are days that PostgreSQL and JavaScript write alike.
 */
export const reportDays = { first: '1970-01-01', last: '2999-12-31' };

export function isReportDay(text: string): boolean {
  return isDay(text) && text >= reportDays.first && text <= reportDays.last;
}

/** A date and a time with a zone (RFC 3339), for example `2026-12-24T09:00:00-05:00`. */
export function isMoment(text: string): boolean {
  return momentForm.test(text) && isDay(text.slice(0, 10));
}

export const notDay = 'must be a date, for example 2027-03-31';
export const notReportDay = `must be a date from ${reportDays.first} to ${reportDays.last}, for example 2027-03-31`;
export const notMoment = 'must be a date and a time with a zone, for example 2026-12-24T09:00:00-05:00';
export const notDayOrMoment = 'must be a date, for example 2026-12-24, or a date and a time with a zone';
