import { stringify } from 'csv-stringify/sync';

/** Rows as CSV, each on a line of its own, with every cell safe. */
export function csvText(rows: readonly (readonly string[])[]): string {
  // A reader may take any of the line ends for one.
  return stringify(
    rows.map((row) => row.map(safeCell)),
    { quoted_match: /[\r\n]/ },
  );
}

/** What a spreadsheet would run as a formula gets an apostrophe in front, and so does what looks as if it had one. */
export function safeCell(text: string): string {
  return /^'*[=+\-@\t\r]/.test(text) ? `'${text}` : text;
}

/** The inverse of `safeCell`: any text that went through it comes back as it was. */
export function plainCell(text: string): string {
  return /^'+[=+\-@\t\r]/.test(text) ? text.slice(1) : text;
}
