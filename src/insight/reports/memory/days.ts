const dayMs = 86_400_000;

/** A day as its number from 1970-01-01. */
export function dayNumber(day: string): number {
  return Date.parse(day) / dayMs;
}

/** The day with a number. */
export function dayText(number: number): string {
  return new Date(number * dayMs).toISOString().slice(0, 10);
}
