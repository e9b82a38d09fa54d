/**
 * The cells of one row; null if a quote stands where it makes no sense. A cell that begins with a quote ends with one, and `""` in it is
 * one quote. In another cell a quote is a letter like any other if the row is one line: only quotes hold line ends, and it may be a stray one.
 */
export function parseRecord(text: string, delimiter: string): string[] | null {
  const trims = delimiter !== '\t';
  const hasLines = /[\r\n]/.test(text);
  const cells: string[] = [];
  for (let at = 0; ; ) {
    const start = trims ? afterBlanks(text, at) : at;
    const quoted = text[start] === '"';
    const end = quoted ? closingQuote(text, start + 1) : endOf(text, delimiter, at);
    if (end < 0) return null;
    const next = !quoted ? end : trims ? afterBlanks(text, end + 1) : end + 1;
    const cell = quoted ? text.slice(start + 1, end).replaceAll('""', '"') : text.slice(at, end);
    if (quoted ? next < text.length && text[next] !== delimiter : hasLines && /["\r\n]/.test(cell)) return null;
    cells.push(quoted || !trims ? cell : cell.trim());
    if (next >= text.length) return cells;
    at = next + 1;
  }
}

function endOf(text: string, delimiter: string, from: number): number {
  const at = text.indexOf(delimiter, from);
  return at < 0 ? text.length : at;
}

/** A pair of quotes is a quote in the text, and does not close it. */
function closingQuote(text: string, from: number): number {
  let at = text.indexOf('"', from);
  while (at >= 0 && text[at + 1] === '"') at = text.indexOf('"', at + 2);
  return at;
}

function afterBlanks(text: string, from: number): number {
  let at = from;
  while (text[at] === ' ' || text[at] === '\t') at++;
  return at;
}
