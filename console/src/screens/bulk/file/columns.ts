import { currenciesNamed } from './currency.ts';
import { columnsNamed, type Field, fields } from './headers.ts';
import type { Sheet } from './read.ts';

/** The field of each column; null: the column is left out. A field has one column at most. */
export type Mapping = readonly (Field | null)[];

/** Guesses what the columns are: by their names, then by what stands in them. */
export function guessMapping({ header, rows }: Pick<Sheet, 'header' | 'rows'>): Mapping {
  const mapping: (Field | null)[] = header.map(() => null);
  for (const field of fields) {
    const free = columnsNamed(header, field).find((column) => mapping[column] === null);
    if (free !== undefined) mapping[free] = field;
  }
  const sample = rows.slice(0, 50);
  for (const [field, fits] of byContent) {
    if (mapping.includes(field)) continue;
    const found = mapping.findIndex((taken, column) => {
      const texts = sample.map(({ cells }) => cells[column]?.trim() ?? '').filter(Boolean);
      return taken === null && texts.length > 0 && texts.every(fits);
    });
    if (found >= 0) mapping[found] = field;
  }
  return mapping;
}

/** What can be nothing else. A column of bare numbers may be amounts or employee numbers: that is asked. */
const byContent: [Field, (text: string) => boolean][] = [
  ['email', (text) => /^\S+@\S+\.\S+$/.test(text)],
  ['currency', (text) => currenciesNamed(text)?.all.size === 1],
];

/** The mapping with one column changed. The column that had the field before loses it. */
export function remap(mapping: Mapping, column: number, field: Field | null): Mapping {
  return mapping.map((one, at) => (at === column ? field : one === field ? null : one));
}
