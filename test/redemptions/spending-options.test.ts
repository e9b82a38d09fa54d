import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AuditPage } from '../../src/ground/contract/audit.ts';
import type { SpendingOption, SpendingOptionList } from '../../src/ground/contract/spending-option.ts';
import { createPools } from '../support/pools.ts';
import { giftwire } from '../support/process.ts';
import { startService } from '../support/service.ts';
import { openWorkspace, refusal } from '../support/workspace.ts';

const service = await startService({ role: 'api' });
const workspace = await openWorkspace(service);
const run = (...argv: string[]) =>
  giftwire(['spending-option', ...argv, '--workspace', String(workspace.id)], { DATABASE_URL: service.database.url });

test('an operator sets and lists spending options at the command line, and what is not named stays', async () => {
  const added = await run('set', 'book-shop', '--kind', 'TILL', '--name', 'Book shop', '--min', '5', '--json');
  assert.deepEqual([added.code, added.stderr], [0, '']);
  await run('set', 'book-shop', '--currencies', 'CAD,usd', '--no-parts');
  const { spendingOptions } = await workspace.read<SpendingOptionList>('/api/v1/spending-options');
  const shop = spendingOptions.find(({ id }) => id === 'book-shop') as SpendingOption;
  assert.deepEqual(shop, { ...JSON.parse(added.stdout), currencies: ['CAD', 'USD'], allowsParts: false });
  await run('set', 'book-shop', '--min', 'none', '--currencies', 'all');
  assert.match((await run('set', 'payroll', '--off')).stdout, /^payroll +PAYROLL +With the next salary +off/m);
  const listed = await run('list');
  assert.match(listed.stdout, /^book-shop +TILL +Book shop +on +all +no *$/m);
  const { entries } = await workspace.read<AuditPage>('/api/v1/audit');
  assert.deepEqual(new Set(entries.slice(0, 4).map(({ action }) => action)), new Set(['spending_option.set']));
});

test('a limit without currencies has four decimals at most, and is stored as it was given', async () => {
  const put = (limits: object) =>
    workspace.call<SpendingOption & { message: string }>('/api/v1/spending-options/canteen', {
      method: 'PUT',
      body: { kind: 'TILL', name: 'Canteen', ...limits },
    });
  for (const limit of ['minAmount', 'maxAmount'])
    for (const amount of [0.00001, 1.23456, 1e-7]) {
      const { status, body } = await put({ [limit]: amount });
      assert.equal(status, 400, `${limit} ${amount}`);
      assert.match(body.message, new RegExp(`${limit} must have at most 4 decimals`));
    }
  const { status, body } = await put({ minAmount: 0.0001, maxAmount: 1.2346 });
  assert.deepEqual([status, body.minAmount, body.maxAmount], [200, 0.0001, 1.2346]);
  const { spendingOptions } = await workspace.read<SpendingOptionList>('/api/v1/spending-options');
  assert.deepEqual(
    spendingOptions.find(({ id }) => id === 'canteen'),
    body,
  );
});

test('the pool of a spending option is one of this workspace, with codes in a currency of the spending option', async () => {
  const { id: poolId } = await createPools(workspace.call).add({ currency: 'USD' });
  const { id: elsewhere } = await createPools((await openWorkspace(service)).call).add({ currency: 'USD' });
  const put = (setting: object) =>
    workspace.call<SpendingOption>('/api/v1/spending-options/codes', {
      method: 'PUT',
      body: { kind: 'POOL', name: 'Cards', ...setting },
    });
  for (const wrong of [elsewhere, 999_999, Number.MAX_SAFE_INTEGER])
    assert.match(refusal(await put({ poolId: wrong }), 400), /poolId must be the id of a pool of this workspace/);
  const other = refusal(await put({ poolId, currencies: ['CAD', 'EUR'] }), 400);
  assert.match(other, /poolId has codes in USD, which is not one of the currencies of the spending option/);
  for (const currencies of [['CAD', 'USD'], null]) {
    const { status, body } = await put({ poolId, currencies });
    assert.deepEqual([status, body.poolId, body.currencies], [200, poolId, currencies]);
  }
});

test('a spending option that is incomplete or makes no sense is refused at the command line', async () => {
  const refused: [string[], RegExp][] = [
    [['set', 'charity', '--name', 'Food bank'], /A new spending option needs --kind and --name/],
    [['set', 'payroll', '--on', '--off'], /Say either --on or --off/],
    [['set', 'cards', '--kind', 'POOL', '--name', 'Cards'], /poolId is required for the kind POOL/],
    [['set', 'book-shop', '--kind', 'HAND'], /is of the kind TILL: choose another id/],
    [['set', 'Book shop'], /lower-case letters/],
    [['set', 'shop', '--link', 'https://user:pw@shop.example'], /must not have a user name or password/],
  ];
  for (const [argv, says] of refused) {
    const { code, stderr } = await run(...argv);
    assert.notEqual(code, 0);
    assert.match(stderr, says);
  }
});

test('the link of a shop is an https URL without a user name or password', async () => {
  const body = (link: string) => ({ kind: 'TILL', name: 'Shop', link });
  const set = (link: string) => workspace.call('/api/v1/spending-options/shop', { method: 'PUT', body: body(link) });
  for (const link of ['https://user:pw@shop.example/', 'https://bank.example@shop.example', 'https://:pw@shop.example'])
    assert.match(refusal(await set(link), 400), /: link must not have a user name or password$/, link);
  for (const link of ['http://shop.example', 'https:shop.example', 'javascript:alert(1)', 'shop.example'])
    assert.match(refusal(await set(link), 400), /: link must be a URL that begins with https:\/\/$/, link);
  assert.equal((await set('https://shop.example/?gift={code}&by=a@b')).status, 200);
});
