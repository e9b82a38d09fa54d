import { InvalidArgumentError } from 'commander';

/** An option of a command: how many. */
export function wholeNumber(text: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count <= 0) throw new InvalidArgumentError('It must be a whole number above 0.');
  return count;
}

/** With two decimals. */
export function round(value: number): number {
  return Math.round(value * 100) / 100;
}

/** With commas between thousands. */
export function shown(count: number): string {
  return count.toLocaleString('en');
}
