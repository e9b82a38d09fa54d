const numbers = /^(\d{1,2})[./\s-](\d{1,2})[./\s-](\d{4})$/;
const iso = /^(\d{4})-(\d\d)-(\d\d)$/;
const fold = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('.', '');

/** The day that people mean by 2026-11-18, 18/11/2026 or 18 Nov 2026 in their language, in the form 2026-11-18; null for other text. */
export function readTypedDay(text: string, locale: string): string | null {
  const typed = text.trim();
  const [, year, month, day] = iso.exec(typed) ?? [];
  if (day) return dayOf(Number(year), Number(month), Number(day));
  const [, first, second, last] = numbers.exec(typed) ?? [];
  if (last)
    return dayOf(Number(last), Number(second), Number(first)) ?? dayOf(Number(last), Number(first), Number(second));
  return readNamedMonth(typed, locale);
}

function readNamedMonth(typed: string, locale: string): string | null {
  const parts = fold(typed).split(/[\s,]+(?:de\s+)?/);
  const name = parts.find((part) => /^\p{L}{3,}$/u.test(part));
  const [day, year] = parts.filter((part) => /^\d+$/.test(part)).sort((one, other) => one.length - other.length);
  if (!name || !day || year?.length !== 4 || parts.length !== 3) return null;
  const months = monthNames(locale).flatMap((names, at) => (names.some((one) => one.startsWith(name)) ? [at + 1] : []));
  return months.length === 1 ? dayOf(Number(year), months[0] as number, Number(day)) : null;
}

/** Short and long, as a date has them: février and févr. */
function monthNames(locale: string): string[][] {
  const formats = (['short', 'long'] as const).map(
    (month) => new Intl.DateTimeFormat(locale, { month, day: 'numeric' }),
  );
  return Array.from({ length: 12 }, (_, month) =>
    formats.map((format) =>
      fold(format.formatToParts(new Date(2026, month, 1)).find(({ type }) => type === 'month')?.value ?? ''),
    ),
  );
}

function dayOf(year: number, month: number, day: number): string | null {
  const date = new Date(Date.UTC(year, month - 1, day));
  const isReal = date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return isReal ? date.toISOString().slice(0, 10) : null;
}

/** The time that people mean by 9, 9:30, 9h30 or 09.30, in the form 09:30; null for other text. */
export function readTypedTime(text: string): string | null {
  const [, hour, minute = '00'] = /^(\d{1,2})(?:\s?[:.h]\s?(\d{2})?)?$/i.exec(text.trim()) ?? [];
  if (!hour || Number(hour) > 23 || Number(minute) > 59) return null;
  return `${hour.padStart(2, '0')}:${minute}`;
}

export function addDays(day: string, count: number): string {
  const date = new Date(`${day}T00:00Z`);
  date.setUTCDate(date.getUTCDate() + count);
  return date.toISOString().slice(0, 10);
}

/** The same day of another month, or its last day if the month is shorter. */
export function addMonths(day: string, count: number): string {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  const last = new Date(Date.UTC(year, month + count, 0));
  return `${last.toISOString().slice(0, 8)}${String(Math.min(date, last.getUTCDate())).padStart(2, '0')}`;
}

/** The weeks of a day's month, each from Monday on, with the days of its neighbours. */
export function weeksOf(day: string): string[][] {
  const first = `${day.slice(0, 8)}01`;
  const start = addDays(first, -((new Date(`${first}T00:00Z`).getUTCDay() + 6) % 7));
  const weeks = Array.from({ length: 6 }, (_, week) =>
    Array.from({ length: 7 }, (_, weekday) => addDays(start, week * 7 + weekday)),
  );
  return weeks.filter((week) => week.some((one) => one.slice(0, 7) === day.slice(0, 7)));
}
