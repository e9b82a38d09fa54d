import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OrderBudget, OrderValidation } from '@giftwire/sdk';
import { checkRows } from '../../console/src/screens/bulk/check.ts';
import { readGifts } from '../support/gift-files.ts';

const problem = 'The order costs more than there is.';

/** What Send many says about two gifts of 25 as a whole, where the service finds something wrong with the order. */
async function saidAbout(budget: Partial<OrderBudget>): Promise<readonly string[]> {
  const { rows } = await readGifts('Email,Amount,Message\nada@example.com,25,Thanks\nmei@example.com,25,Thanks');
  const answer = {
    items: rows.map(() => ({})),
    faults: [{ path: null, item: null, problem }],
    budget: { available: 1_000, left: 950, personLeft: null, ...budget },
  } as unknown as OrderValidation;
  const said: string[] = [];
  await checkRows(rows, {
    validate: async () => answer,
    onAnswer: ({ general }) => said.push(...general),
    signal: new AbortController().signal,
  });
  return said;
}

test('what the totals say about the budget is not said once more, in the words of the service', async () => {
  assert.deepEqual(await saidAbout({ left: -20 }), [], 'the budget is used up');
  assert.deepEqual(await saidAbout({ personLeft: 40 }), [], 'the sender’s share of this month is used up');
  assert.deepEqual(await saidAbout({ personLeft: 50 }), [problem], 'something else');
  assert.deepEqual(await saidAbout({}), [problem]);
});
