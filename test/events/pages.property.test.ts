import assert from 'node:assert/strict';
import { test } from 'node:test';
import { appendEvents } from '../../src/company/events/log.ts';
import { readEvents } from '../../src/company/events/read.ts';
import { theService } from '../../src/company/workspaces/audit.ts';
import { inWorkspace } from '../../src/company/workspaces/lock.ts';
import { createWorkspace } from '../../src/company/workspaces/workspaces.ts';
import { type EventType, eventTypeNames, exampleData, type NewEvent } from '../../src/ground/contract/event.ts';
import { createTestDatabase } from '../support/database.ts';
import fc from '../support/fast-check.ts';
import { runs } from '../support/runs.ts';

const database = await createTestDatabase();

async function openLog(types: readonly EventType[]): Promise<number> {
  const workspace = { name: 'Acme', language: 'EN_CA', refusesUnknownEmployeeNumbers: false };
  const { id } = await database.transaction((tx) => createWorkspace(tx, theService, workspace));
  const events = types.map((type) => ({ type, data: exampleData(type) }) as NewEvent);
  await inWorkspace(database, id, (tx, moment) => appendEvents(tx, id, moment, events));
  return id;
}

const someTypes = eventTypeNames.slice(0, 5);
const log = fc.array(fc.constantFrom(...someTypes), { maxLength: 40 });
const asked = fc.option(fc.uniqueArray(fc.constantFrom(...someTypes), { minLength: 1 }));

test('pages of any size and types, joined, are the whole log: no gap, no double, in their sequence', async () => {
  await fc.assert(
    fc.asyncProperty(log, asked, fc.integer({ min: 1, max: 12 }), fc.nat(40), async (types, wanted, size, from) => {
      const id = await openLog(types);
      const start = Math.min(from, types.length);
      const joined: number[] = [];
      let after = start;
      for (let latest = Number.POSITIVE_INFINITY; after < latest; ) {
        const page = await readEvents(database, id, { after, size, types: wanted });
        assert.ok(page.events.length <= size);
        assert.ok(page.next > after || page.latest === after, 'every page moves on');
        joined.push(...page.events.map(({ number }) => number));
        ({ next: after, latest } = page);
      }
      const expected = types.flatMap((type, index) =>
        index >= start && (wanted === null || wanted.includes(type)) ? [index + 1] : [],
      );
      assert.deepEqual(joined, expected);
    }),
    { numRuns: runs(60) },
  );
});
