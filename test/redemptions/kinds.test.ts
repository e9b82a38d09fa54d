import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Redemption } from '../../src/ground/contract/redemption.ts';
import type { SpendingOption, SpendingOptionList } from '../../src/ground/contract/spending-option.ts';
import {
  kindSettings,
  type SpendingOptionKind,
  spendingKinds,
  spendingOptionKinds,
} from '../../src/ground/values/spending-kinds.ts';
import { createGifts, tokenKey } from '../support/gift-page.ts';
import { startService } from '../support/service.ts';
import { offerAllOptions } from '../support/spending.ts';

const service = await startService({ tokenKey });
const { database } = service;
const gifts = createGifts(service);
const { claimed, spend, fill, poolId } = await offerAllOptions(service, gifts);
const columns = [{ header: 'Amount', field: 'amount' }] as const;
const values = { columns, poolId, link: 'https://shop.example.com/{code}' };

test('the database knows the kinds of the table, and no others', async () => {
  const checks = await database.query<{ table: string; text: string }>(
    `select conrelid::regclass::text as table, pg_get_constraintdef(oid) as text
       from pg_constraint
      where conname in ('spending_options_kind_check', 'redemptions_kind_check')
      order by 1`,
  );
  const known = checks.map(({ table, text }) => [table, [...text.matchAll(/'([A-Z_]+)'/g)].map(([, kind]) => kind)]);
  const kinds = new Set(spendingOptionKinds);
  assert.deepEqual(
    known.map(([table, found]) => [table, new Set(found)]),
    [
      ['redemptions', kinds],
      ['spending_options', kinds],
    ],
  );
});

test('the console learns every kind with its defaults, and an option of nothing else gets them', async () => {
  const { spendingOptions, kinds } = (await service.call<SpendingOptionList>('/api/v1/spending-options')).body;
  assert.deepEqual(
    kinds.map(({ kind }) => kind),
    spendingOptionKinds,
  );
  for (const { kind, canAdd, setting, defaults, usualColumns } of kinds) {
    const { only, needsSetting, fulfilledBy } = spendingKinds[kind];
    assert.deepEqual([canAdd, usualColumns !== null], [only === null, fulfilledBy === 'payroll'], kind);
    const id = only?.id ?? `of-${kind.toLowerCase()}`;
    const needed = setting && needsSetting ? { [setting]: values[setting] } : {};
    const { status, body } = await service.call<SpendingOption>(`/api/v1/spending-options/${id}`, {
      method: 'PUT',
      body: { kind, name: 'Plain', ...needed },
    });
    assert.deepEqual([status, body], [200, { id, kind, name: 'Plain', ...defaults, ...needed }]);
  }
  assert.ok(spendingOptions.some(({ id }) => id === 'payroll'));
});

for (const kind of spendingOptionKinds)
  test(`${kind}: no other kind has its settings, and what is spent follows its rules`, async () => {
    const { only, setting, needsSetting, fulfilledBy, hasRetailer, whyKept, taxType } = spendingKinds[kind];
    const name = `Rules of ${kind}`;
    const id = only?.id ?? `rules-${kind.toLowerCase()}`;
    const own = setting ? { [setting]: values[setting] } : {};
    const set = (more: object) =>
      service.call<SpendingOption & { message: string }>(`/api/v1/spending-options/${id}`, {
        method: 'PUT',
        body: { kind, name, ...own, ...more },
      });
    for (const other of kindSettings.filter((one) => one !== setting))
      assert.match((await set({ [other]: values[other] })).body.message, new RegExp(`${other} is only for`));
    if (setting) assert.equal((await set({ [setting]: null })).status, needsSetting ? 400 : 200);
    assert.equal((await set({})).status, 200);

    const redemption = await spendOne(kind, id, fulfilledBy);
    assert.deepEqual(
      [redemption.state, redemption.taxType, redemption.retailer !== null],
      [fulfilledBy === 'colleague' ? 'REQUESTED' : 'DONE', taxType, hasRetailer],
    );
    const decided = await change(redemption, 'fulfil');
    assert.equal(decided, fulfilledBy === 'colleague' ? 200 : 409, 'only a colleague’s request is decided');
    assert.equal(await change(redemption, 'reverse'), whyKept === null ? 200 : 409);
  });

async function spendOne(kind: SpendingOptionKind, option: string, fulfilledBy: string): Promise<Redemption> {
  const retailer = `Shop of ${kind}`;
  if (fulfilledBy === 'code') await fill(`${retailer},25,KIND-${kind},,`);
  const certificate = await claimed(25);
  const token = certificate.longToken;
  const atTill = await service.call<Redemption>('/api/v1/gifts/redemptions', {
    method: 'POST',
    headers: { 'Idempotency-Key': crypto.randomUUID() },
    body: { token, spendingOption: option },
  });
  assert.equal(atTill.status, fulfilledBy === 'till' ? 201 : 409, 'a till redeems with its own kind alone');
  if (fulfilledBy !== 'till') assert.equal((await spend(token, { option, amount: '25', retailer })).status, 200);
  const path = `/api/v1/redemptions?gift=${certificate.id}`;
  return (await service.call<{ redemptions: [Redemption] }>(path)).body.redemptions[0];
}

async function change({ id }: Redemption, verb: 'fulfil' | 'reverse'): Promise<number> {
  return (await service.call(`/api/v1/redemptions/${id}/${verb}`, { method: 'POST' })).status;
}
