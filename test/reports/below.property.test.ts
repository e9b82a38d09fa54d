import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reportsOf } from '../../src/insight/reports/memory/below.ts';
import { People } from '../../src/insight/reports/memory/people.ts';
import fc from '../support/fast-check.ts';
import { runs } from '../support/runs.ts';

type Line = ReadonlyMap<number, number | null>;

/** Everybody below a manager, as one would say it. Who is met twice stands in a circle. */
function below(line: Line, top: number, met = new Set<number>()): Set<number> {
  for (const [id, manager] of line) {
    if (manager !== top || met.has(id)) continue;
    met.add(id);
    below(line, id, met);
  }
  return met;
}

/** People in any sequence, each with anybody as manager or with none: trees, circles, and people who manage themselves. */
const lines: fc.Arbitrary<Line> = fc
  .uniqueArray(fc.integer({ min: 1, max: 99 }), { minLength: 1, maxLength: 12 })
  .chain((ids) => {
    const managers = ids.map(() => fc.option(fc.constantFrom(...ids), { freq: 6 }));
    return fc.tuple(...managers).map((chosen) => new Map(ids.map((id, nth) => [id, chosen[nth] ?? null])));
  });

test('everybody below a manager is found, whatever the sequence of records', () => {
  fc.assert(
    fc.property(lines, (line) => {
      const people = new People();
      for (const [id, manager] of line) people.put([id, null, 0, null, manager, 1, null, null, null]);
      for (const top of line.keys()) {
        const marks = reportsOf(people, people.placeOf(top));
        const found = [...line.keys()].filter((id) => marks[people.placeOf(id)] === 1);
        assert.deepEqual(new Set(found), below(line, top), `below ${top}`);
      }
    }),
    { numRuns: runs(500) },
  );
});
