import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inWorkspace } from '../../src/company/workspaces/lock.ts';
import type { AuditPage } from '../../src/ground/contract/audit.ts';
import type { EventPage } from '../../src/ground/contract/event-list.ts';
import type { RemovedCodes } from '../../src/ground/contract/pool.ts';
import { giveCode } from '../../src/spending/code-pools/give.ts';
import { giftsOf } from '../support/gifts.ts';
import { aCode, codeFile, createPools } from '../support/pools.ts';
import { giftwire } from '../support/process.ts';
import { claim, offerSpendingOption, spend } from '../support/redemptions.ts';
import { startService } from '../support/service.ts';
import { refusal } from '../support/workspace.ts';

const service = await startService();
const { database } = service;
const { workspace, issue } = await giftsOf(service);
const pools = createPools(workspace.call);
const remove = (id: number, query = '') =>
  workspace.call<RemovedCodes>(`/api/v1/pools/${id}/codes${query}`, { method: 'DELETE' });

test('codes that nobody has got are removed by retailer and value, and those that were given stay', async () => {
  const { id } = await pools.add({ lowAt: 0 });
  const wrong = aCode('Café Lune', 9.5);
  await pools.fill(id, aCode('Riverside Books', 5), aCode('Riverside Books', 5), aCode('Riverside Books', 25), wrong);
  await offerSpendingOption(database, workspace.id, 'charity', { kind: 'HAND', name: 'Food bank' });
  const [gift] = (await issue({ email: 'ada@example.com' })) as [number];
  await claim(database, workspace.id, gift);
  const { redemption } = await spend(database, workspace.id, gift, 'charity', { amount: 5 });
  const choice = { poolId: id, retailer: 'Riverside Books', value: 5, currency: 'CAD' };
  await inWorkspace(database, workspace.id, (tx) => giveCode(tx, workspace.id, choice, redemption.id));

  const lune = await remove(id, `?retailer=${encodeURIComponent('Café Lune')}&value=9.5`);
  assert.deepEqual([lune.status, lune.body.removed], [200, 1]);
  assert.deepEqual(
    lune.body.pool.stocks.map(({ retailer, value }) => [retailer, value]),
    [
      ['Riverside Books', 5],
      ['Riverside Books', 25],
    ],
    'what is gone altogether is not listed',
  );
  assert.equal((await pools.upload(id, codeFile(wrong))).status, 201, 'it can be added again');
  const rest = await remove(id);
  assert.equal(rest.body.removed, 3);
  assert.deepEqual(rest.body.pool.stocks, [{ retailer: 'Riverside Books', value: 5, left: 0, given: 1, expired: 0 }]);
  const { events } = await workspace.read<EventPage>('/api/v1/events?types=pool.empty');
  assert.equal(events.length, 1, 'of what was given before, nothing is left');
  assert.equal((await remove(id)).body.removed, 0);
  const { entries } = await workspace.read<AuditPage>('/api/v1/audit');
  assert.deepEqual(
    entries.filter(({ action }) => action === 'pool.emptied').map(({ detail }) => detail),
    [{ codes: 3 }, { codes: 1, retailer: 'Café Lune', value: 9.5 }],
  );
});

test('what is not there cannot be removed, and a parameter that is misspelt removes nothing', async () => {
  refusal(await remove(999_999), 404);
  const { id } = await pools.add();
  await pools.fill(id, aCode());
  refusal(await remove(id, '?retailr=Riverside'), 400);
  assert.equal((await pools.read(id)).stocks[0]?.left, 1);
});

test('an operator removes codes at the command line, and has to say so', async () => {
  const { id } = await pools.add();
  await pools.fill(id, aCode('Shop', 10), aCode('Shop', 20));
  const run = (...argv: string[]) =>
    giftwire(['pool', 'empty', String(id), '--workspace', String(workspace.id), ...argv], {
      DATABASE_URL: database.url,
    });
  assert.match((await run()).stderr, /Nothing was changed: confirmation needs a terminal/);
  assert.match((await run('--value', '10', '--yes')).stdout, /^1 codes were removed/);
  assert.equal((await pools.read(id)).stocks.length, 1);
});
