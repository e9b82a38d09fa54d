/** Days are texts as `2027-03-31`: they compare as they follow each other. A number of days counts from 1970. */
const dayMs = 86_400_000;

export function addDays(day: string, days: number): string {
  return dayAt(numberOf(day) + days);
}

export function daysBetween(from: string, to: string): number {
  return numberOf(to) - numberOf(from);
}

/** From 0, Sunday, to 6, Saturday. 1 January 1970 was a Thursday. */
export function weekdayOf(day: string): number {
  return (((numberOf(day) + 4) % 7) + 7) % 7;
}

/** The month of a day, for example `2027-03`. */
export function monthOf(day: string): string {
  return day.slice(0, 7);
}

/** The first day of the month that is `months` after that of a day. */
export function firstOfMonth(day: string, months = 0): string {
  return new Date(Date.UTC(Number(day.slice(0, 4)), Number(day.slice(5, 7)) - 1 + months, 1))
    .toISOString()
    .slice(0, 10);
}

// The days of a plan are asked for again and again: each is computed once. Those that people's dates can name are few.
const numbers = new Map<string, number>();
const texts = new Map<number, string>();
const mostKnown = 50_000;

function numberOf(day: string): number {
  let number = numbers.get(day);
  if (number === undefined) {
    number = Date.UTC(Number(day.slice(0, 4)), Number(day.slice(5, 7)) - 1, Number(day.slice(8, 10))) / dayMs;
    if (numbers.size >= mostKnown) numbers.clear();
    numbers.set(day, number);
  }
  return number;
}

function dayAt(number: number): string {
  let day = texts.get(number);
  if (day === undefined) {
    day = new Date(number * dayMs).toISOString().slice(0, 10);
    if (texts.size >= mostKnown) texts.clear();
    texts.set(number, day);
  }
  return day;
}
