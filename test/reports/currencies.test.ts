import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Overview, Series } from '../../src/ground/contract/overview.ts';
import { aGift, anOrder } from '../support/orders.ts';
import { startService } from '../support/service.ts';
import { openWorkspace } from '../support/workspace.ts';

const service = await startService();

test('the currency of most gifts comes first: yen are many, and dollars are what the company sends', async () => {
  const workspace = await openWorkspace(service);
  await workspace.gift({ email: 'ada@example.com' }, { email: 'mei@example.com' });
  const body = anOrder({ currency: 'JPY', orderItems: [aGift({ amount: 9_000 })] });
  const { status, body: sent } = await workspace.call<{ requestId: string }>('/api/v1/orders', {
    method: 'POST',
    body,
  });
  assert.equal(status, 201);
  await workspace.outcome(sent.requestId);
  const { current } = await workspace.read<Overview>('/api/v1/reports/overview');
  const { points } = await workspace.read<Series>('/api/v1/reports/series?by=month');
  for (const { amounts } of [current, points.at(-1) ?? { amounts: [] }])
    assert.deepEqual(
      amounts.map(({ currency }) => currency),
      ['CAD', 'JPY'],
    );
});
