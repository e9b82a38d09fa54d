import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { holdsPersonalData, type PersonalColumn, type TableOfData } from '../src/ground/values/personal.ts';
import { declaredData } from '../src/insight/rights/declared.ts';

const page = join(import.meta.dirname, '../docs/privacy.md');

/** docs/privacy.md: the text of scripts/privacy.md, with the tables of the declaration. */
export function privacyPage(template: string): string {
  const holding = declaredData.filter(({ columns }) => Object.values(columns).some(holdsPersonalData));
  const without = declaredData
    .filter((one) => !holding.includes(one))
    .map(({ table, holds }) => `\`${table}\` (${holds})`);
  return template
    .replace('<!-- columns -->', holding.map(section).join('\n\n'))
    .replace('<!-- without -->', `${[...new Set(without)].join(', ')}.`);
}

function section({ table, holds, columns }: TableOfData): string {
  const rows = Object.entries(columns).flatMap(([name, column]) =>
    holdsPersonalData(column) ? [rowOf(name, column)] : [],
  );
  return [
    `### \`${table}\`: ${holds}`,
    '',
    '| Column | What it holds | Why | When a person is erased | Otherwise kept |',
    '|---|---|---|---|---|',
    ...rows,
  ].join('\n');
}

function rowOf(name: string, column: PersonalColumn): string {
  return `| \`${name}\` | ${[column.what, column.why, erasureOf(column), column.kept].map(cell).join(' | ')} |`;
}

function erasureOf({ of, stays, erasedBy, becomes, search }: PersonalColumn): string {
  if (stays !== undefined) return `stays: ${stays}`;
  const own = of.some((relation) => relation !== 'named');
  return [
    ...(erasedBy ? [erasedBy] : own ? [becomes ? 'removed' : 'removed with its row'] : []),
    ...(search === 'replace' ? ['where it names the person, the name is replaced'] : []),
    ...(search === 'replaceFull' ? ['a full name or an address of the person in it is replaced'] : []),
    ...(search === 'remove' ? ['where it names the person, it is removed'] : []),
  ].join('; ');
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}

if (import.meta.main) {
  const { readFileSync } = await import('node:fs');
  writeFileSync(page, privacyPage(readFileSync(join(import.meta.dirname, 'privacy.md'), 'utf8')));
}
