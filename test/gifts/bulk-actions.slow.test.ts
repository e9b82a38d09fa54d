import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runBulkActions } from '../../src/giving/delivery/bulk/run.ts';
import { expireGifts } from '../../src/giving/delivery/expiry.ts';
import { giftTokenKeys } from '../../src/giving/gifts/token-keys.ts';
import { parseTokenKeys } from '../../src/ground/config/texts.ts';
import type { BulkAction, BulkGiftPage } from '../../src/ground/contract/bulk-action.ts';
import type { EventPage } from '../../src/ground/contract/event-list.ts';
import type { GiftDetails } from '../../src/ground/contract/gift.ts';
import { balancesOf, checkLedger, setBudget } from '../support/budgets.ts';
import { eventually } from '../support/eventually.ts';
import { giftsOf } from '../support/gifts.ts';
import { aGift } from '../support/orders.ts';
import { claim } from '../support/redemptions.ts';
import { startService } from '../support/service.ts';
import { isReplay, refusal } from '../support/workspace.ts';

const service = await startService({ mailServer: 'outbox' });
const { database } = service;
const recipients = (count: number, name = 'g') =>
  Array.from({ length: count }, (_, nth) => ({ email: `${name}${nth}@example.com` }));
const dayIn = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

async function openBulk(on = service) {
  const gifts = await giftsOf(on);
  const { workspace } = gifts;
  const create = (body: object, headers = {}) =>
    workspace.call<BulkAction>('/api/v1/bulk-actions', { method: 'POST', body, headers });
  const read = (id: number) => workspace.read<BulkAction>(`/api/v1/bulk-actions/${id}`);
  const completed = (id: number) =>
    eventually(
      () => read(id),
      ({ status }) => status === 'COMPLETED',
    );
  return {
    ...gifts,
    create,
    completed,
    read,
    /** A bulk action that must be accepted, when it has ended. */
    async run(body: object): Promise<BulkAction> {
      const answer = await create(body);
      assert.equal(answer.status, 201, JSON.stringify(answer.body));
      return completed(answer.body.id);
    },
    order: async (id: number) => (await gifts.gift(id)).requestId,
    states: async (ids: readonly number[]) => (await Promise.all(ids.map(gifts.gift))).map(({ state }) => state),
    /** Waits until the emails of these gifts have left. A gift cannot be cancelled while its email is being sent. */
    sent: (ids: readonly number[]) =>
      eventually(
        () => Promise.all(ids.map(gifts.gift)),
        (all) => all.every(({ delivery }) => delivery === 'SENT'),
      ),
  };
}

test('one request cancels the unclaimed gifts of an order, and says which were claimed', async () => {
  const { workspace, issue, create, run, order, states } = await openBulk();
  const { id: budget } = await setBudget(database, workspace.id, { amount: 2_000 });
  const ids = await issue(...recipients(45));
  const [other] = (await issue({ email: 'other@example.com' })) as [number];
  const claimed = ids.slice(10, 13);
  for (const id of claimed) await claim(database, workspace.id, id);
  const requestId = await order(ids[0] as number);
  const action = await run({ action: 'CANCEL', gifts: { requestId } });
  assert.deepEqual(
    [action.total, action.done, action.changed, action.unchanged, action.rejected, action.reasons],
    [45, 45, 42, 0, 3, [{ reason: 'CLAIMED', gifts: 3 }]],
  );
  assert.deepEqual([action.by.is, action.gifts], ['TOKEN', { requestId }]);
  assert.deepEqual(
    await states(ids),
    ids.map((id) => (claimed.includes(id) ? 'CLAIMED' : 'CANCELLED')),
  );
  assert.deepEqual(await states([other]), ['ISSUED'], 'another order is left alone');
  assert.deepEqual(await balancesOf(database, workspace.id, budget), [2_000 - 4 * 25, 0, 4 * 25, 0]);
  await checkLedger(database);
  const rejected = await workspace.read<BulkGiftPage>(`/api/v1/bulk-actions/${action.id}/gifts?outcome=REJECTED`);
  assert.deepEqual(
    [rejected.totalElements, rejected.gifts],
    [3, claimed.map((giftId) => ({ giftId, outcome: 'REJECTED', reason: 'CLAIMED' }))],
  );
  const again = await run({ action: 'CANCEL', gifts: { requestId } });
  assert.deepEqual([again.id, again.changed, again.unchanged, again.rejected], [action.id + 1, 0, 42, 3]);
  assert.equal((await create({ action: 'CANCEL', gifts: { ids: [other] } })).status, 201);
});

test('the log of each gift, its event and the audit log name who asked for it', async () => {
  const { workspace, issue, gift, run, sent } = await openBulk();
  const ids = await issue(...recipients(3));
  await sent(ids);
  const { id } = await run({ action: 'CANCEL', gifts: { ids } });
  const by = { is: 'TOKEN', id: workspace.tokenId };
  const ends = (await Promise.all(ids.map(gift))).map(({ timeline }) => timeline.at(-1) as GiftDetails['timeline'][0]);
  for (const { type, detail } of ends) assert.deepEqual([type, (detail.by as { id: number }).id], ['CANCELLED', by.id]);
  const { events } = await workspace.read<EventPage>('/api/v1/events?types=gift.cancelled');
  assert.deepEqual(
    events.map(({ data }) => [(data as { giftId: number }).giftId, (data as { by: unknown }).by]),
    ids.map((giftId) => [giftId, by]),
  );
  const { entries } = await workspace.read<{ entries: Record<string, unknown>[] }>('/api/v1/audit?action=bulk_action');
  assert.deepEqual(
    entries.map(({ action, actorId, subjectId, detail }) => [action, actorId, subjectId, detail]),
    [
      ['bulk_action.completed', by.id, String(id), { bulkAction: 'CANCEL', changed: 3, unchanged: 0, rejected: 0 }],
      ['bulk_action.created', by.id, String(id), { bulkAction: 'CANCEL', gifts: { ids } }],
    ],
  );
});

test('an action is about the gifts that there were when it was asked for, and continues where a worker was killed', async () => {
  const tokenKey = 'k'.repeat(32);
  const api = await startService({ mailServer: 'off', role: 'api', tokenKey });
  const startWorker = () => startService({ mailServer: 'off', role: 'worker', tokenKey, database: api.database });
  const worker = await startWorker();
  const { workspace, issue, gift, create, completed, read, states } = await openBulk(api);
  const ids = await issue(...recipients(50));
  await worker.stop();
  const { body } = await create({ action: 'CANCEL', gifts: { state: 'ISSUED' } });
  assert.deepEqual([body.status, body.total, body.done], ['SEARCHING', 0, 0]);
  await api.database.pool.query(`
    create function curse() returns trigger language plpgsql as
      $$ begin if new.id = ${ids[29]} then raise exception 'cursed'; end if; return new; end $$;
    create trigger curse before update on certificates for each row execute function curse()`);
  const options = { database: api.database, keys: giftTokenKeys(parseTokenKeys(tokenKey)), isMailOn: false };
  // A turn ends after a second: on a slow machine that is before the cursed gift.
  const runOn = async () => {
    for (;;) await runBulkActions(options);
  };
  await assert.rejects(runOn, /cursed/);
  const halfway = await read(body.id);
  assert.deepEqual([halfway.status, halfway.total, halfway.done], ['RUNNING', 50, 20], 'a batch is done or not');
  await api.database.pool.query('drop trigger curse on certificates');
  const later = await workspace.submit([aGift()]);
  await startWorker();
  const { changed } = await completed(body.id);
  assert.equal(changed, 50);
  assert.ok((await states(ids)).every((state) => state === 'CANCELLED'));
  const [kept] = (await workspace.outcome(later)).certificates;
  assert.equal((await gift(kept?.id as number)).state, 'ISSUED', 'a gift that was ordered later is left alone');
  const cancelled = (await gift(ids[0] as number)).timeline.filter(({ type }) => type === 'CANCELLED');
  assert.equal(cancelled.length, 1);
});

test('gifts are sent again and extended by the rules of one gift', async () => {
  const { workspace, issue, gift, run, sent, setExpiry } = await openBulk();
  const { id: budget } = await setBudget(database, workspace.id, { amount: 100 });
  const ids = await issue(...recipients(3), { employeeNumber: '4711' });
  const [first, second, third, silent] = ids as [number, number, number, number];
  await sent([first, second, third]);
  await claim(database, workspace.id, second);
  const { requestId } = await gift(first);
  const resent = await run({ action: 'RESEND', gifts: { requestId, state: 'ISSUED' } });
  assert.deepEqual([resent.changed, resent.reasons], [2, [{ reason: 'NO_ADDRESS', gifts: 1 }]]);
  assert.ok((await gift(third)).timeline.some(({ type }) => type === 'RESENT'));
  await sent([first, third]);
  const justNow = new Date(Date.now() - 1_000);
  for (const id of [first, third, silent]) await setExpiry(id, justNow);
  await expireGifts(database);
  assert.deepEqual(await balancesOf(database, workspace.id, budget), [75, 0, 25, 0]);
  await issue(...recipients(2, 'new'));
  const extended = await run({ action: 'EXTEND', gifts: { requestId }, expiresOn: dayIn(30) });
  assert.deepEqual(
    [extended.changed, extended.reasons],
    [
      1,
      [
        { reason: 'OVER_BUDGET', gifts: 2 },
        { reason: 'CLAIMED', gifts: 1 },
      ],
    ],
  );
  assert.deepEqual(await balancesOf(database, workspace.id, budget), [0, 0, 100, 0]);
  const later = await run({ action: 'EXTEND', gifts: { ids: [first] }, expiresOn: dayIn(10) });
  assert.deepEqual(later.reasons, [{ reason: 'EXPIRES_LATER', gifts: 1 }]);
  await checkLedger(database);
});

test('a request that could mean other gifts than the caller thinks is rejected', async () => {
  const { workspace, issue, gift, create, run } = await openBulk();
  const [id] = (await issue({ email: 'ada@example.com' })) as [number];
  const { requestId } = await gift(id);
  const unknown = '01a1df76-7923-7084-a702-6abd76aadac6';
  const bad: [object, RegExp][] = [
    [{ action: 'CANCEL' }, /gifts is required/],
    [{ action: 'CANCEL', gifts: {} }, /gifts must have at least one/],
    [{ action: 'CANCEL', gifts: { requestID: requestId } }, /gifts\.requestID/],
    [{ action: 'CANCEL', gifts: { requestId: null, state: 'ISSUED' } }, /gifts\.requestId must be/],
    [{ action: 'CANCEL', gifts: { requestId: unknown } }, /gifts\.requestId is no order of this workspace/],
    [{ action: 'CANCEL', gifts: { ids: [id], state: 'ISSUED' } }, /gifts\.ids must be the only field of gifts/],
    [{ action: 'CANCEL', gifts: { requestId }, expiresOn: dayIn(3) }, /expiresOn is for EXTEND alone/],
    [{ action: 'EXTEND', gifts: { requestId } }, /expiresOn is required for EXTEND/],
    [{ action: 'EXTEND', gifts: { requestId }, expiresOn: '2020-01-01' }, /expiresOn must be today or later/],
    [{ action: 'BURN', gifts: { requestId } }, /action must be/],
  ];
  for (const [body, words] of bad) assert.match(refusal(await create(body), 400), words);
  const stranger = await openBulk();
  assert.match(refusal(await stranger.create({ action: 'CANCEL', gifts: { requestId } }), 400), /is no order/);
  const none = await stranger.run({ action: 'CANCEL', gifts: { ids: [id] } });
  assert.equal(none.total, 0, 'ids of another workspace are no gifts here');
  assert.equal((await gift(id)).state, 'ISSUED');
  const scopeless = await service.addToken({ workspaces: [workspace.id], scopes: ['gifts:read'] });
  const denied = await workspace.call('/api/v1/bulk-actions', {
    method: 'POST',
    body: { action: 'CANCEL', gifts: { requestId } },
    token: scopeless.token,
  });
  assert.equal(denied.status, 403);
  const key = { 'Idempotency-Key': 'once' };
  const [first, second] = [
    await create({ action: 'CANCEL', gifts: { requestId } }, key),
    await create({ action: 'CANCEL', gifts: { requestId } }, key),
  ];
  assert.deepEqual([isReplay(first), isReplay(second), second.body.id], [false, true, first.body.id]);
  assert.match(refusal(await create({ action: 'RESEND', gifts: { requestId } }, key), 422), /action/);
  await run({ action: 'CANCEL', gifts: { requestId } });
});
