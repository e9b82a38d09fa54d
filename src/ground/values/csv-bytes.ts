import { csvCell } from './csv.ts';

/** What ends the cells and the rows of a text that holds many of them. */
export const cellEnd = '\u001f';
export const rowEnd = '\u001e';

const comma = 0x2c;
const lineFeed = 0x0a;

/** What a byte of such a text means: `csvCell` has to look at a cell that has an unusual byte, or begins with one of the others. */
const usual = 0;
const unusual = 1;
const unusualAtStart = 2;
const endOfCell = 3;
const endOfRow = 4;
const meanings = meaningsOf([
  [unusual, ...Buffer.from('",;|\t\r\n')],
  // The signs that begin a formula and what may precede them. The last two begin signs outside of ASCII.
  [unusualAtStart, ...Buffer.from("=+-@' "), 0xc2, 0xef],
  [endOfCell, ...Buffer.from(cellEnd)],
  [endOfRow, ...Buffer.from(rowEnd)],
]);

function meaningsOf(groups: readonly (readonly [number, ...number[]])[]): Uint8Array {
  const meanings = new Uint8Array(256);
  for (const [meaning, ...bytes] of groups) for (const byte of bytes) meanings[byte] = meaning;
  return meanings;
}

/**
 * Rows that come as one text, as CSV; null if a cell contains one of the ends, which makes more cells than there are. Each byte is
 * looked at once, and most cells stay as they are: making texts of them takes longer.
 */
export function csvBytes(text: string, rows: number, columns: number): Buffer | null {
  const bytes = Buffer.from(text + rowEnd);
  const parts: Buffer[] = [];
  let copied = 0;
  let begin = 0;
  let isUnusual = false;
  let cells = 0;
  let lines = 0;
  for (let at = 0; at < bytes.length; at++) {
    const meaning = meanings[bytes[at] as number] as number;
    if (meaning === usual) continue;
    if (meaning < endOfCell) {
      isUnusual ||= meaning === unusual || at === begin;
      continue;
    }
    if (isUnusual) {
      parts.push(bytes.subarray(copied, begin), Buffer.from(csvCell(bytes.toString('utf8', begin, at))));
      copied = at;
    }
    bytes[at] = meaning === endOfCell ? comma : lineFeed;
    begin = at + 1;
    isUnusual = false;
    cells++;
    if (meaning === endOfRow) lines++;
  }
  if (lines !== rows || cells !== rows * columns) return null;
  return parts.length === 0 ? bytes : Buffer.concat([...parts, bytes.subarray(copied)]);
}
