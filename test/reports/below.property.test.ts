import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reportsOf } from '../../src/insight/reports/memory/below.ts';
import { People } from '../../src/insight/reports/memory/people.ts';
import fc from '../support/fast-check.ts';
import { runs } from '../support/runs.ts';

type Line = ReadonlyMap<number, number | null>;

/** The manager of a person, the manager of that one, and so on. */
function above(line: Line, id: number): Set<number> {
  const met = new Set<number>();
  for (let at = line.get(id); at && !met.has(at); at = line.get(at)) met.add(at);
  return met;
}

/** All people below a manager, in plain words. People in a loop of managers have no manager. */
function below(line: Line, top: number): Set<number> {
  const isInLoop = (id: number) => above(line, id).has(id);
  const cut = new Map([...line].map(([id, manager]) => [id, isInLoop(id) ? null : manager]));
  return new Set([...cut.keys()].filter((id) => above(cut, id).has(top)));
}

/** People in any sequence, each with anybody as manager or with none: trees, loops, and people who manage themselves. */
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
