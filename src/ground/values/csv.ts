/** Rows as CSV, each on a line of its own, with every cell safe. */
export function csvText(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => `${row.map(csvCell).join(',')}\n`).join('');
}

/** What tells Excel that a file is UTF-8. */
export const byteOrderMark = '\ufeff';

/** A cell is quoted if it has anything that a reader may take for the end of a cell or of a line. */
export function csvCell(text: string): string {
  if (!unusual.test(text)) return text;
  const cell = safeCell(text);
  return /[",;|\t\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/**
 * Text that a spreadsheet would run as a formula gets an apostrophe in front, and so does text that looks as if it had one.
 *
 * A sheet that is opened with a semicolon, a bar or a tab as its separator does not see our quotes: to it, a cell begins
 * behind each of them, and behind each line end. Text in these places is treated like text at the beginning of a cell.
 */
export function safeCell(text: string): string {
  return formulas.test(text) ? text.replace(formulaStarts, "'") : text;
}

/** The inverse of `safeCell`: any text that went through it comes back as it was. */
export function plainCell(text: string): string {
  return formulas.test(text) ? text.replace(escapedStarts, '') : text;
}

// A formula may follow apostrophes, quotes and spaces. Asian editions of spreadsheets also know full-width signs.
const formula = `['" \\u00a0]*[=+\\-@＝＋－＠]`;
const blankStart = `['" \\u00a0]*[\\t\\r\\n]`;
const separators = '[;|\\t\\r\\n]';

// Matches every text that needs quotes or an apostrophe. Most texts need neither, and this one test says so.
const unusual = new RegExp(`[",;|\\t\\r\\n]|^${formula}`);

const formulas = new RegExp(`^${blankStart}|(?:^|${separators})${formula}`);
const formulaStarts = new RegExp(`^(?=${blankStart}|${formula})|(?<=${separators})(?=${formula})`, 'g');
const escapedStarts = new RegExp(`^'(?=${blankStart}|${formula})|(?<=${separators})'(?=${formula})`, 'g');
