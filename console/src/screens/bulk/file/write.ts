import { byteOrderMark, csvText } from '../../../../../src/ground/values/csv.ts';

/** CSV as Excel opens it: with the mark of UTF-8, and without formulas. Reading it gives the same texts. */
export function writeCsv(rows: readonly (readonly string[])[]): string {
  return `${byteOrderMark}${csvText(rows)}`;
}
