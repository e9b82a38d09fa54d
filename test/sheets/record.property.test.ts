import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'csv-parse/sync';
import { parseRecord } from '../../src/ground/sheets/record.ts';
import { readRecords } from '../../src/ground/sheets/records.ts';
import fc from '../support/fast-check.ts';
import { runs } from '../support/runs.ts';

const delimiter = fc.constantFrom(',', ';', '\t', '|');
const nasty = fc.string({ unit: fc.constantFrom(...'ab",;|\t\r\n '), maxLength: 14 });

test('a row has the cells that a CSV parser finds in it, and is refused where the parser refuses a quote', () => {
  fc.assert(
    fc.property(nasty, delimiter, (text, separator) => {
      let expected: string[] | null;
      try {
        const options = { delimiter: separator, record_delimiter: '\0\0', trim: separator !== '\t' };
        [expected = []] = parse(text, options) as string[][];
      } catch {
        expected = null;
      }
      const cells = parseRecord(text, separator);
      if (expected === null) {
        // We also take a quote within a cell that does not begin with one, on one line.
        const isOnOneLine = !/[\r\n]/.test(text);
        assert.ok(cells === null || isOnOneLine, JSON.stringify([text, separator, cells]));
      } else if (cells === null) assert.match(text, /[\r\n]/);
      else assert.deepEqual(cells, expected.length === 0 ? [''] : expected, JSON.stringify(text));
    }),
    { numRuns: runs(3_000) },
  );
});

test('every row that is written is read again, with the number that a spreadsheet shows', async () => {
  const cell = fc.string({ unit: fc.constantFrom(...'ab",;|\r\n '), maxLength: 8 }).map((text) => text.trim());
  const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(cell, cell), { maxLength: 8 }), delimiter, async (rows, separator) => {
      const texts = [['one', 'two'], ...rows].map((cells) => cells.map(quoted).join(separator));
      const found = [];
      for await (const record of readRecords(inPieces(`sep=${separator}\n${texts.join('\n')}\n`))) found.push(record);
      const filled = rows.flatMap((cells, nth) => (cells.join('') === '' ? [] : [{ row: nth + 2, cells }]));
      assert.deepEqual(
        found.slice(1).map(({ row, cells, problem }) => ({ row, cells, ...(problem && { problem }) })),
        filled,
      );
    }),
    { numRuns: runs(300) },
  );
});

async function* inPieces(text: string) {
  for (let at = 0; at < text.length; at += 7) yield text.slice(at, at + 7);
}
