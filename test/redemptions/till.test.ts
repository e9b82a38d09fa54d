import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expireGifts } from '../../src/giving/delivery/expiry.ts';
import type { Redemption } from '../../src/ground/contract/redemption.ts';
import type { CheckedGift } from '../../src/ground/contract/till.ts';
import { checkLedger } from '../support/budgets.ts';
import { whileBusy } from '../support/eventually.ts';
import { giftsOf } from '../support/gifts.ts';
import { aGift } from '../support/orders.ts';
import { offerSpendingOption } from '../support/redemptions.ts';
import { startService, type TestService } from '../support/service.ts';

const tokenKey = 'a-key-that-both-nodes-of-this-file-share';
const service = await startService({ tokenKey });
const other = await startService({ tokenKey, role: 'api', database: service.database });
const { database } = service;

/** A workspace with a till, and what callers do there, at either node. */
async function openTill(amount = 25) {
  const gifts = await giftsOf(service);
  const { workspace } = gifts;
  await offerSpendingOption(database, workspace.id, 'shop');
  const issue = async () => {
    const { certificates } = await workspace.outcome(await workspace.submit([aGift({ amount })]));
    return certificates[0] as { id: number; shortToken: string; longToken: string };
  };
  const post = <Body>(via: TestService, path: string, body: unknown, headers = {}) =>
    whileBusy(() =>
      via.call<Body>(`/api/v1/gifts/${path}`, {
        method: 'POST',
        token: workspace.token,
        workspace: workspace.id,
        body,
        headers,
      }),
    );
  return {
    ...gifts,
    issue,
    check: (token: string) => post<CheckedGift>(service, 'check', { token }),
    redeem: (body: object, key: string, via = service) =>
      post<Redemption & { message: string }>(via, 'redemptions', body, { 'Idempotency-Key': key }),
    post: (path: string, body?: unknown) => post<Redemption & { message: string }>(service, path, body),
  };
}

/** A hundred at once, at two nodes in turn. */
function hundred<T>(work: (nth: number, via: TestService) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: 100 }, (_, nth) => work(nth, nth % 2 ? other : service)));
}

const count = (statuses: number[], status: number) => statuses.filter((one) => one === status).length;

test('of a hundred who redeem a whole gift at once, at two nodes, one succeeds', async () => {
  const { issue, redeem, gift } = await openTill();
  const { id, shortToken, longToken } = await issue();
  const answers = await hundred((nth, via) => redeem({ token: nth % 3 ? shortToken : longToken }, `key ${nth}`, via));
  const statuses = answers.map(({ status }) => status);
  assert.deepEqual([count(statuses, 201), count(statuses, 402)], [1, 99]);
  assert.match(answers.find(({ status }) => status === 402)?.body.message ?? '', /Nothing is left of the gift/);
  const { state, redeemed, timeline } = await gift(id);
  assert.deepEqual([state, redeemed], ['REDEEMED', 25]);
  assert.equal(timeline.filter(({ type }) => type === 'CLAIMED').length, 1);
  await checkLedger(database);
});

test('of a hundred who redeem a tenth of a gift at once, at two nodes, ten succeed', async () => {
  const { issue, redeem, gift } = await openTill(25.3);
  const { id, shortToken: token } = await issue();
  const answers = await hundred((nth, via) => redeem({ token, amount: 2.53 }, `key ${nth}`, via));
  const statuses = answers.map(({ status }) => status);
  assert.deepEqual([count(statuses, 201), count(statuses, 402)], [10, 90]);
  assert.deepEqual([(await gift(id)).state, (await gift(id)).redeemed], ['REDEEMED', 25.3]);
  await checkLedger(database);
});

test('a hundred equal requests under one key redeem once, and a void gives it back once', async () => {
  const { issue, redeem, gift, post } = await openTill();
  const { id, shortToken: token } = await issue();
  const answers = await hundred((_, via) => redeem({ token, amount: 10 }, 'one', via));
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([201]));
  assert.equal(new Set(answers.map(({ body }) => body.id)).size, 1);
  const replayed = answers.filter(({ headers }) => headers.get('Idempotent-Replayed') === 'true');
  assert.deepEqual([replayed.length, (await gift(id)).redeemed], [99, 10]);
  const path = `redemptions/${answers[0]?.body.id}/void`;
  const voids = await hundred(() => post(path));
  assert.deepEqual(new Set(voids.map(({ body }) => body.state)), new Set(['REVERSED']));
  assert.deepEqual([(await gift(id)).state, (await gift(id)).redeemed], ['CLAIMED', 0]);
  const again = await redeem({ token, amount: 10 }, 'one');
  assert.deepEqual([again.status, again.body.state, (await gift(id)).redeemed], [201, 'REVERSED', 0]);
  const voided = await database.query(
    `select subject_name as name from audit_log where action = 'redemption.voided' and subject_id = $1`,
    [String(answers[0]?.body.id)],
  );
  assert.deepEqual(voided, [{ name: answers[0]?.body.spendingOptionName }]);
  await checkLedger(database);
});

test('another request under the same key is refused, and so is one without a key', async () => {
  const { issue, redeem, post } = await openTill();
  const [one, two] = [await issue(), await issue()];
  assert.equal((await redeem({ token: one.shortToken, amount: 1, reference: 'R 1' }, 'k')).body.reference, 'R 1');
  assert.equal((await redeem({ token: one.longToken, amount: 1, reference: 'R 1' }, 'k')).status, 201);
  const refused = await redeem({ token: two.shortToken, amount: 2 }, 'k');
  assert.equal(refused.status, 422);
  assert.match(refused.body.message, /differs in amount, giftId, reference/);
  const keyless = await post('redemptions', { token: one.shortToken });
  assert.deepEqual([keyless.status, /Idempotency-Key/.test(keyless.body.message)], [400, true]);
});

test('a check says what is left and why a code is not good, and claims nothing', async () => {
  const { issue, check, redeem, gift, repaired, setExpiry } = await openTill();
  const { id, shortToken: token } = await issue();
  const told = async (code = token) => {
    const { status, body } = await check(code);
    return status === 200 ? [body.isGood, body.left, body.problem] : status;
  };
  assert.deepEqual(await told(), [true, 25, null]);
  assert.deepEqual(await told(token.toLowerCase().replaceAll('-', ' ')), [true, 25, null]);
  assert.deepEqual([(await gift(id)).state, (await gift(id)).viewedAt], ['ISSUED', null]);
  await redeem({ token, amount: 24 }, 'most');
  assert.deepEqual(await told(), [true, 1, null]);
  await redeem({ token }, 'rest');
  assert.deepEqual(await told(), [false, 0, 'Nothing is left of the gift: it is spent.']);
  const [cancelled, expired] = [await issue(), await issue()];
  await repaired(cancelled.id, 'cancel');
  assert.deepEqual(await told(cancelled.shortToken), [false, 25, 'The gift cannot be spent: it was cancelled.']);
  await setExpiry(expired.id, new Date(Date.now() - 1_000));
  assert.deepEqual(await told(expired.longToken), [false, 25, 'The gift cannot be spent: it has expired.']);
  assert.equal((await redeem({ token: expired.longToken }, 'late')).status, 409);
  await expireGifts(database);
  assert.equal((await redeem({ token: expired.longToken }, 'later')).status, 409);
  assert.equal(await told('0000-0000-0000-0000'), 404);
  const elsewhere = await openTill();
  assert.equal(await told((await elsewhere.issue()).shortToken), 404, "another workspace's code is unknown here");
  await checkLedger(database);
});

test('a gift that needs a mailed code cannot be claimed at a till', async () => {
  const { workspace, issue, check, redeem } = await openTill();
  await database.query('update workspaces set code_above = 20 where id = $1', [workspace.id]);
  const { shortToken: token } = await issue();
  assert.match((await check(token)).body.problem ?? '', /claimed on its page first/);
  assert.equal((await redeem({ token }, 'k')).status, 409);
});

test('without a till nothing can be redeemed at one, and a replay is answered though the till is gone', async () => {
  const { workspace, issue, check, redeem, post } = await openTill();
  const { shortToken: token } = await issue();
  const { body } = await redeem({ token, amount: 1 }, 'before');
  await offerSpendingOption(database, workspace.id, 'shop', { isOn: false });
  assert.match((await check(token)).body.problem ?? '', /offers no till for gifts in CAD/);
  assert.equal((await redeem({ token, amount: 1 }, 'after')).status, 409);
  const replay = await redeem({ token, amount: 1 }, 'before');
  assert.deepEqual([replay.status, replay.body.id], [201, body.id]);
  assert.equal((await post(`redemptions/${body.id}/void`)).body.left, 25);
});

test('wrong codes are limited, and right ones are not', async () => {
  const limited = await startService({ tokenKey, role: 'api', database });
  const { workspace, issue } = await openTill();
  const { shortToken } = await issue();
  const check = (token: string) =>
    limited.call('/api/v1/gifts/check', {
      method: 'POST',
      token: workspace.token,
      workspace: workspace.id,
      body: { token },
    });
  const statuses: number[] = [];
  for (let nth = 0; nth < 70; nth++) statuses.push((await check('0000-0000-0000-0000')).status);
  assert.deepEqual(new Set(statuses), new Set([404, 429]));
  assert.equal((await check(shortToken)).status, 200);
});
