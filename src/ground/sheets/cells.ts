import { plainCell } from '../values/csv.ts';

/** A cell's text, without blanks around it, without the apostrophe that marks a formula as text, and without `="…"` around a text. */
export function readCell(cell: string): string {
  const text = cell.trim();
  const [, kept] = /^="((?:[^"]|"")*)"$/.exec(text) ?? [];
  return kept === undefined ? plainCell(text) : kept.replaceAll('""', '"').trim();
}

/** A text that identifies a person. A placeholder is empty. */
export function identityOf(text: string): string {
  return withoutPlaceholder(withoutApostrophe(text));
}

/** Spreadsheets mark digits as text with an apostrophe: '00045. */
export function withoutApostrophe(text: string): string {
  return /^['’]\d/.test(text) ? text.slice(1) : text;
}

/** The text, or an empty one for a placeholder. */
export function withoutPlaceholder(text: string): string {
  return isPlaceholder(text) ? '' : text;
}

/** Whether a text stands for nothing: a dash, an error of a spreadsheet, or a word such as "n/a". */
export function isPlaceholder(text: string): boolean {
  // Every cell of a file comes here, and most begin with another character.
  if (!/^[-–—−_.?#nkuidtsàp]/i.test(text)) return false;
  return dashes.test(text) || errors.test(text) || (words.has(text.toLowerCase()) && !surnames.has(text));
}

/** Whether a placeholder says that there is nothing, rather than that it is not known. */
export function isNone(text: string): boolean {
  return dashes.test(text) || /^(?:#?n\/[ad]|#nv|n\.a\.|null|nil|none)$/i.test(text);
}

const dashes = /^[-–—−_.?]+$/;

/** Of Excel, LibreOffice and Google Sheets, in English, German, French and Spanish. */
const errors =
  /^#(?:n\/a|nv|n\/d|ref!?|bezug!|¡ref!|value!|valeur!|wert!|¡valor!|name\?|nom\s?\?|¿nombre\?|null!|nul!|¡nulo!|div\/0!|¡div\/0!|num!|zahl!|nombre!|¡num!|error!|spill!|calc!)$/i;

const words = new Set(
  'null,nil,none,n/a,n.a.,k.a.,k. a.,s.o.,s/o,n/d,unknown,unbekannt,inconnu,inconnue,desconocido,desconocida,tbd,tba,t.b.d.,to be defined,à définir,por definir'.split(
    ',',
  ),
);

/** Written so, they are names of people. Programs write NULL and null. */
const surnames = new Set(['Null', 'Nil', 'None']);

/** A number that a spreadsheet has shortened to 1.23457E+11. Its last digits are lost. */
export function isShortened(number: string): boolean {
  return shortened.test(number);
}

const shortened = /^(\d)(?:[.,](\d+))?e\+(\d{2})$/i;

/** The lowest and the highest number that are shortened to this one; null if it is no shortened number. */
export function readShortened(number: string): { lowest: string; highest: string } | null {
  const [, first, rest = '', exponent] = shortened.exec(number) ?? [];
  const lost = Number(exponent) - rest.length;
  if (first === undefined || first === '0' || lost <= 0) return null;
  const value = BigInt(first + rest) * 10n ** BigInt(lost);
  const half = 5n * 10n ** BigInt(lost - 1);
  return { lowest: String(value - half), highest: String(value + half) };
}
