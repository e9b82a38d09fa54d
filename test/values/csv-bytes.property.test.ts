import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csvText } from '../../src/ground/values/csv.ts';
import { cellEnd, csvBytes, rowEnd } from '../../src/ground/values/csv-bytes.ts';
import fc from '../support/fast-check.ts';
import { runs } from '../support/runs.ts';

const cell = fc.oneof(
  fc.string({ unit: fc.constantFrom(...'ab,;|"\' =+-@\t\n\r\u00a0＝＋é') }),
  fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll(cellEnd, '').replaceAll(rowEnd, '')),
);
const rows = fc
  .integer({ min: 1, max: 5 })
  .chain((columns) =>
    fc.array(fc.array(cell, { minLength: columns, maxLength: columns }), { minLength: 1, maxLength: 6 }),
  );
const written = (cells: readonly (readonly string[])[]) =>
  csvBytes(cells.map((row) => row.join(cellEnd)).join(rowEnd), cells.length, cells[0]?.length as number)?.toString();

test('rows that come as one text are the same CSV as rows of cells', () => {
  fc.assert(
    fc.property(rows, (cells) => assert.equal(written(cells), csvText(cells))),
    { numRuns: runs(1_000) },
  );
});

test('a cell that contains the end of a cell or of a row is noticed', () => {
  fc.assert(
    fc.property(rows, cell, cell, fc.constantFrom(cellEnd, rowEnd), fc.nat(), (cells, before, after, end, place) => {
      const nth = place % cells.length;
      const row = cells[nth] as string[];
      assert.equal(written(cells.with(nth, [`${before}${end}${after}`, ...row.slice(1)])), undefined);
    }),
  );
});
