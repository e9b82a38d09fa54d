import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { GiftDetails } from '../../src/ground/contract/gift.ts';
import type { Redemption } from '../../src/ground/contract/redemption.ts';
import { followEvents, type PulledEvent } from '../support/events.ts';
import { eventually } from '../support/eventually.ts';
import { giftsOf } from '../support/gifts.ts';
import { aGift } from '../support/orders.ts';
import { claim, offerSpendingOption, spend } from '../support/redemptions.ts';
import { startService } from '../support/service.ts';
import { signIn } from '../support/sign-in.ts';

const service = await startService({ mailServer: 'outbox' });
const { database } = service;

/** A workspace with a till and a spending option that a person fulfils, and a gift of 25 CAD. */
async function openShop() {
  const { workspace, gift, repaired, setExpiry } = await giftsOf(service);
  await offerSpendingOption(database, workspace.id, 'shop');
  await offerSpendingOption(database, workspace.id, 'trees', { kind: 'HAND', name: 'Plant trees' });
  const { certificates } = await workspace.outcome(await workspace.submit([aGift({ amount: 25 })]));
  const { id: giftId, shortToken } = certificates[0] as { id: number; shortToken: string };
  const { next } = followEvents(workspace);
  await eventually(async () => (await next()).some(({ type }) => type === 'gift.sent'));
  return { workspace, giftId, shortToken, gift: () => gift(giftId), repaired, setExpiry, next };
}

/** A till with a token of its own. */
async function addTill(workspace: number, name: string) {
  const { id, token } = await service.addToken({ name, scopes: ['gifts:redeem'], workspaces: [workspace] });
  const post = (path: string, body?: unknown, headers = {}) =>
    service.call<Redemption>(`/api/v1/gifts/redemptions${path}`, { method: 'POST', token, workspace, body, headers });
  return {
    actor: { is: 'TOKEN', id, name },
    redeem: (body: object, key: string) => post('', body, { 'Idempotency-Key': key }),
    void: async (redemption: number) => (await post(`/${redemption}/void`)).body,
  };
}

const nameless = ({ is, id }: { is: string; id: number }) => ({ is, id });
const entriesOf = ({ timeline }: GiftDetails, ...types: string[]) =>
  timeline.filter(({ type }) => types.includes(type)).map(({ type, detail }) => [type, detail.by]);

test('a redemption says which till redeemed it and which voided it, in its record, its log and its events', async () => {
  const { workspace, giftId, shortToken: token, gift, next } = await openShop();
  const till = await addTill(workspace.id, 'Till 2');
  const other = await addTill(workspace.id, 'Till 3');
  const { body: made } = await till.redeem({ token, amount: 10 }, 'receipt 1');
  assert.deepEqual([made.redeemedBy, made.finishedBy], [till.actor, null]);
  const { body: replay } = await other.redeem({ token, amount: 10 }, 'receipt 1');
  assert.deepEqual([replay.id, replay.redeemedBy], [made.id, till.actor]);

  const voided = await other.void(made.id);
  assert.deepEqual([voided.redeemedBy, voided.finishedBy], [till.actor, other.actor]);
  assert.deepEqual((await till.void(made.id)).finishedBy, other.actor);
  const { redemptions } = await workspace.read<{ redemptions: Redemption[] }>(`/api/v1/redemptions?gift=${giftId}`);
  assert.deepEqual(redemptions, [voided]);

  assert.deepEqual(entriesOf(await gift(), 'CLAIMED', 'REDEEMED', 'REVERSED'), [
    ['CLAIMED', till.actor],
    ['REDEEMED', till.actor],
    ['REVERSED', other.actor],
  ]);
  assert.deepEqual(
    (await next()).map(({ type, data: { by } }) => [type, by]),
    [
      ['gift.claimed', nameless(till.actor)],
      ['gift.redeemed', nameless(till.actor)],
      ['gift.redemption_reversed', nameless(other.actor)],
    ],
  );
});

test('a redemption says which person fulfilled, declined or reversed it', async () => {
  const { workspace, giftId, gift, next } = await openShop();
  await claim(database, workspace.id, giftId);
  const { user, call } = await signIn(service, { workspace: workspace.id, name: 'Samir Marín' });
  const actor = { is: 'USER', id: user.id, name: 'Samir Marín' };
  const decide = async (id: number, decision: string) =>
    assert.equal((await call(`/api/v1/redemptions/${id}/${decision}`, { method: 'POST' })).status, 200);
  const find = async (id: number) => {
    const { redemptions } = await workspace.read<{ redemptions: Redemption[] }>('/api/v1/redemptions');
    return redemptions.find((one) => one.id === id);
  };
  for (const [ending, state] of [
    ['fulfil', 'DONE'],
    ['decline', 'DECLINED'],
  ] as const) {
    const { redemption } = await spend(database, workspace.id, giftId, 'trees', { amount: 5 });
    assert.deepEqual([redemption.state, redemption.redeemedBy, redemption.finishedBy], ['REQUESTED', null, null]);
    await decide(redemption.id, ending);
    const decided = await find(redemption.id);
    assert.deepEqual([decided?.state, decided?.redeemedBy, decided?.finishedBy], [state, null, actor]);
  }
  const { redemption } = await spend(database, workspace.id, giftId, 'payroll', { amount: 5 });
  await decide(redemption.id, 'reverse');
  assert.deepEqual((await find(redemption.id))?.finishedBy, actor);
  assert.deepEqual(entriesOf(await gift(), 'REVERSED'), [
    ['REVERSED', actor],
    ['REVERSED', actor],
  ]);
  const by = nameless(actor);
  assert.deepEqual(
    (await next()).map(({ type, data }) => [type, data.by]),
    [
      ['gift.claimed', undefined],
      ['gift.redeemed', undefined],
      ['redemption.requested', undefined],
      ['redemption.fulfilled', by],
      ['gift.redeemed', undefined],
      ['redemption.requested', undefined],
      ['gift.redemption_reversed', by],
      ['redemption.declined', by],
      ['gift.redeemed', undefined],
      ['gift.redemption_reversed', by],
    ],
  );
});

test('the CSV file of redemptions has the names of who redeemed and who finished', async () => {
  const { workspace, shortToken: token } = await openShop();
  const till = await addTill(workspace.id, 'Till 2');
  const { body } = await till.redeem({ token, amount: 10 }, 'receipt 1');
  await till.void(body.id);
  const answer = await workspace.call<string>('/api/v1/redemptions', { headers: { Accept: 'text/csv' } });
  const [header, line] = String(answer.body).split('\n');
  assert.match(header ?? '', /,redeemedBy,finishedBy,requestText$/);
  assert.match(line ?? '', /,Till 2,Till 2,$/);
});

test('the events of a gift that a caller corrected, extended or cancelled say who did it', async () => {
  const { workspace, giftId, gift, repaired, setExpiry, next } = await openShop();
  const { token } = await workspace.read<{ token: { id: number; name: string } }>('/api/v1/me');
  const told: PulledEvent[] = [];
  const follow = async (type: string) =>
    eventually(async () => {
      told.push(...(await next()));
      return told.some((event) => event.type === type);
    });
  await setExpiry(giftId, new Date(Date.now() + 86_400_000));
  await repaired(giftId, 'extend', { expiresOn: null });
  await repaired(giftId, 'correct', { email: 'other@example.com' });
  await follow('gift.sent');
  await repaired(giftId, 'cancel');
  await follow('gift.cancelled');
  const by = { is: 'TOKEN', id: token.id };
  assert.deepEqual(
    told.map(({ type, data }) => [type, data.by]),
    [
      ['gift.extended', by],
      ['gift.reissued', by],
      ['gift.sent', undefined],
      ['gift.cancelled', by],
    ],
  );
  const actor = { ...by, name: token.name };
  assert.deepEqual(entriesOf(await gift(), 'REISSUED', 'EXTENDED', 'CANCELLED'), [
    ['EXTENDED', actor],
    ['REISSUED', actor],
    ['CANCELLED', actor],
  ]);
});
