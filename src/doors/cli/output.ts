import { stripVTControlCharacters, styleText } from 'node:util';

/** One JSON value for programs, or text for people. */
export function print(json: boolean | undefined, value: unknown, readable: () => string): void {
  console.log(json ? JSON.stringify(value) : readable());
}

/** Rows in columns. On a terminal that is too narrow for them, cells are broken between words. */
export function table(headings: string[], rows: unknown[][]): string {
  const cells = [headings, ...rows.map((row) => row.map(cell))];
  const widths = columnWidths(cells, terminalWidth());
  const lines = cells.map((row) => {
    const broken = row.map((text, column) => breakText(text, widths[column] as number));
    const height = Math.max(...broken.map(({ length }) => length));
    return Array.from({ length: height }, (_, line) =>
      broken
        .map((parts, column) => (parts[line] ?? '').padEnd(widths[column] as number))
        .join('  ')
        .trimEnd(),
    );
  });
  const [head = [], ...body] = lines;
  return [...head.map((line) => styleText('bold', line)), ...body.flat()].join('\n');
}

/** As wide as the longest cell. If that is too wide, the widest column shrinks first, down to its longest word. */
function columnWidths(cells: string[][], available: number): number[] {
  const columns = (cells[0] ?? []).map((_, column) => cells.map((row) => row[column] ?? ''));
  const widths = columns.map(longest);
  const gaps = 2 * (widths.length - 1);
  const isTooWide = () => widths.reduce((sum, width) => sum + width, gaps) > available;
  if (!isTooWide()) return widths;
  const least = columns.map((texts) => longest(texts.flatMap((text) => text.split(' '))));
  while (isTooWide()) {
    const spare = widths.map((width, column) => (width > (least[column] as number) ? width : 0));
    const widest = spare.indexOf(Math.max(...spare));
    if (!spare[widest]) break;
    (widths[widest] as number)--;
  }
  return widths;
}

/** The length of the longest. No Math.max of all: a call takes some hundred thousand arguments at most. */
function longest(texts: readonly string[]): number {
  return texts.reduce((most, { length }) => Math.max(most, length), 0);
}

function breakText(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.length <= width ? [text] : text.split(' ')) {
    const line = lines.at(-1);
    if (line !== undefined && line.length + 1 + word.length <= width) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/** A few names, or of many the first and the last. */
export function firstToLast(names: readonly string[]): string {
  return names.length <= 3 ? names.join(', ') : `${names[0]} to ${names.at(-1)}`;
}

/** A number with its noun: 1 order, 2 orders. */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}

/** Names and values, one on each line. On a terminal, long values are wrapped and indented. */
export function fields(entries: Record<string, unknown>): string {
  const width = Math.max(...Object.keys(entries).map((name) => name.length));
  const below = `\n${' '.repeat(width + 2)}`;
  return Object.entries(entries)
    .map(([name, value]) => {
      const lines = breakText(cell(value), terminalWidth() - width - 2);
      return `${styleText('dim', name.padEnd(width))}  ${lines.join(below)}`;
    })
    .join('\n');
}

/** Lines are wrapped only on a terminal that says its width, never in a file or a pipe. */
function terminalWidth(): number {
  return (process.stdout.isTTY && process.stdout.columns) || Number.POSITIVE_INFINITY;
}

/** A value as one line of text. */
export function cell(value: unknown): string {
  if (value === null || value === undefined) return '–';
  if (value instanceof Date) return `${value.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  if (Array.isArray(value)) return value.join(', ');
  // Control characters in stored texts must not reach the terminal.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is replaced.
  return stripVTControlCharacters(String(value)).replace(/[\u0000-\u001f\u007f-\u009f]/g, ' ');
}
