import { stripVTControlCharacters, styleText } from 'node:util';

/** One JSON value for machines, or whatever is made to be read. */
export function print(json: boolean | undefined, value: unknown, readable: () => string): void {
  console.log(json ? JSON.stringify(value) : readable());
}

/** Columns as wide as their longest cell. */
export function table(headings: string[], rows: unknown[][]): string {
  const cells = [headings, ...rows.map((row) => row.map(cell))];
  const widths = headings.map((_, column) => Math.max(...cells.map((row) => (row[column] ?? '').length)));
  const lines = cells.map((row) =>
    row
      .map((text, column) => text.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  return [styleText('bold', lines[0] ?? ''), ...lines.slice(1)].join('\n');
}

/** Names and values, one a line. */
export function fields(entries: Record<string, unknown>): string {
  const width = Math.max(...Object.keys(entries).map((name) => name.length));
  return Object.entries(entries)
    .map(([name, value]) => `${styleText('dim', name.padEnd(width))}  ${cell(value)}`)
    .join('\n');
}

/** A value as one line of text. */
export function cell(value: unknown): string {
  if (value === null || value === undefined) return '–';
  if (value instanceof Date) return `${value.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  if (Array.isArray(value)) return value.join(', ');
  // Text from outside must not steer the terminal.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is replaced.
  return stripVTControlCharacters(String(value)).replace(/[\u0000-\u001f\u007f-\u009f]/g, ' ');
}
