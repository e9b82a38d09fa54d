import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openHistories } from '../support/automations-engines.ts';
import { testSeed } from '../support/seed.ts';

const live = await openHistories();

for (const nth of [0, 1])
  test(`company ${nth}: automations do the same on the same days as the independent model, with kills and two nodes`, async () => {
    assert.ok((await live(testSeed * 1_000_000 + nth, { people: 20, steps: 20 })) > 0);
  });
