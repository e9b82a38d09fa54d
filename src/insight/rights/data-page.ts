import { html } from 'ghtml';
import { isObject } from '../../ground/values/differences.ts';
import type { DataFile } from './data-files.ts';

export type Row = Record<string, unknown>;

/** A part of the file with its rows. */
export interface DataPart {
  file: DataFile;
  rows: readonly Row[];
}

const style = `
  :root { color-scheme: light dark; --ink: #1c2321; --soft: #5b6662; --line: #d5dad8; --page: #fff; --row: #f5f7f6; --link: #0b5f56 }
  @media (prefers-color-scheme: dark) { :root { --ink: #e8ecea; --soft: #a3aeaa; --line: #3a4441; --page: #161b19; --row: #1e2422; --link: #7fd1c5 } }
  * { box-sizing: border-box } body { font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 68rem; padding: 2rem 1.25rem 4rem; color: var(--ink); background: var(--page) }
  h1 { font-size: 1.75rem; line-height: 1.2; margin: 0 0 .75rem } h2 { font-size: 1.25rem; margin: 0 0 .25rem } p { margin: 0 0 .75rem; max-width: 44rem } a { color: var(--link) }
  nav ul { columns: 18rem; padding: 0; margin: 1.5rem 0 0; list-style: none } nav li { padding: .2rem 0; break-inside: avoid } nav span, .none, .about { color: var(--soft) }
  section { margin-top: 2.5rem; padding-top: 1.5rem; border-top: 1px solid var(--line) } .wide { overflow-x: auto }
  table { border-collapse: collapse; width: 100%; font-size: .875rem } th, td { padding: .45rem .75rem .45rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line) }
  thead th { color: var(--soft); font-weight: 500; white-space: nowrap } td { min-width: 5rem; overflow-wrap: anywhere; white-space: pre-line } .facts th { width: 14rem; font-weight: 500; color: var(--soft) }
  @media print { nav { display: none } section { break-inside: avoid } }`;

/** The page of the file: it opens without a network and without a program. Times are those of the company's time zone. */
export function dataPage(company: string, day: string, timeZone: string, parts: readonly DataPart[]): string {
  const formats = formatsOf(timeZone);
  const filled = parts.filter(({ rows }) => rows.length > 0);
  const empty = parts.filter(({ rows }) => rows.length === 0);
  return html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Your data at ${company}</title><style>!${style}</style></head>
<body>
<h1>Your data at ${company}</h1>
<p>Everything that ${company} holds about you in Giftwire, as of ${formats.day(day)}. Times are in the time zone ${timeZone}.</p>
<p class="about">The same data is in the file data.json, for programs, and each part is a CSV file, for spreadsheets. To have something corrected or erased, ask the people team of ${company}.</p>
<nav aria-label="Parts"><ul>!${filled.map(({ file, rows }) => html`<li><a href="#${file.name}">${file.title}</a> <span>${rows.length}</span></li>`).join('')}</ul></nav>
!${filled.map((part) => section(part, formats)).join('')}
!${empty.length === 0 ? '' : html`<section><h2>Nothing about you</h2><ul class="none">!${empty.map(({ file }) => html`<li>${file.title}</li>`).join('')}</ul></section>`}
</body>
</html>
`;
}

type Formats = ReturnType<typeof formatsOf>;

function formatsOf(timeZone: string) {
  const days = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
  const moments = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone });
  return {
    day: (text: string) => days.format(new Date(`${text}T00:00:00Z`)),
    moment: (at: Date) => moments.format(at),
  };
}

function section({ file, rows }: DataPart, formats: Formats): string {
  const [only] = rows;
  const table = rows.length === 1 && only && Object.keys(only).length > 8 ? facts(only, formats) : list(rows, formats);
  return html`<section id="${file.name}"><h2>${file.title}</h2><p class="about">${file.explanation}</p><div class="wide">!${table}</div></section>`;
}

/** One record with many fields reads better from top to bottom; fields without a value are left out. */
function facts(row: Row, formats: Formats): string {
  const lines = Object.entries(row)
    .map(([name, value]) => [name, cell(name, value, formats)] as const)
    .filter(([, text]) => text !== '')
    .map(([name, text]) => html`<tr><th scope="row">${label(name)}</th><td>${text}</td></tr>`);
  return `<table class="facts"><tbody>${lines.join('')}</tbody></table>`;
}

function list(rows: readonly Row[], formats: Formats): string {
  const columns = Object.keys(rows[0] ?? {}).filter((name) =>
    rows.some((row) => cell(name, row[name], formats) !== ''),
  );
  const head = columns.map((name) => html`<th scope="col">${label(name)}</th>`).join('');
  const body = rows
    .map((row) => html`<tr>!${columns.map((name) => html`<td>${cell(name, row[name], formats)}</td>`).join('')}</tr>`)
    .join('');
  return `<table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table>`;
}

/** `claimedAt` reads “Claimed at”. */
function label(name: string): string {
  const words = name.replaceAll(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Columns with words of fixed lists. Other columns have what people wrote. */
const wordColumns: readonly string[] = ['state', 'status', 'kind', 'decision', 'role', 'way', 'hiddenDays'];
const isDay = /^\d{4}-\d\d-\d\d$/;

/** `PARTLY_REDEEMED` reads “partly redeemed”. */
function cell(name: string, value: unknown, formats: Formats): string {
  const text = readable(value, formats);
  return wordColumns.includes(name) ? text.toLowerCase().replaceAll('_', ' ') : text;
}

/** A value as a person reads it: days and times in words. */
function readable(value: unknown, formats: Formats): string {
  if (value === null || value === undefined || value === '') return '';
  if (value instanceof Date) return formats.moment(value);
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.map((one) => readable(one, formats)).join(', ');
  if (isObject(value))
    return Object.entries(value)
      .map(([key, one]) => `${key}: ${readable(one, formats)}`)
      .join('\n');
  const text = String(value);
  return isDay.test(text) ? formats.day(text) : text;
}
