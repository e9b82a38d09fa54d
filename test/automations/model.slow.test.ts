import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openHistories } from '../support/automations-engines.ts';
import { runs } from '../support/runs.ts';
import { testSeed } from '../support/seed.ts';

const live = await openHistories();

// GIFTWIRE_TEST_RUNS=100 tries a thousand companies.
for (let nth = 0; nth < runs(10); nth += 1)
  test(`in five years of company ${nth}, automations do the same on the same days as the independent model`, async () => {
    assert.ok((await live(testSeed * 1_000_000 + 1_000 + nth, { people: 25, steps: 200 })) > 0);
  });
