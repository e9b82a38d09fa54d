import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { verifyLedger } from '../../src/insight/books/verify.ts';
import { checkLedger } from '../support/budgets.ts';
import { tokenKey } from '../support/gift-page.ts';
import { openRecipients } from '../support/own-gifts.ts';
import { codeFile, createPools } from '../support/pools.ts';
import { offerSpendingOption, readGift } from '../support/redemptions.ts';
import { startService } from '../support/service.ts';
import { signIn } from '../support/sign-in.ts';
import { refusal } from '../support/workspace.ts';

const service = await startService({ tokenKey, mailServer: 'outbox' });
const other = await startService({ tokenKey, role: 'api', database: service.database });
const { database } = service;

test('a request that draws on several gifts is one: it counts once, and is decided for all of them', async () => {
  const { ada, opened, workspace } = await openRecipients(service);
  await offerSpendingOption(database, workspace.id, 'charity', { kind: 'HAND', name: 'Charity' });
  const ids = await opened([20, 20, 20]);
  const wish = { amount: 50, spendingOption: 'charity', requestText: 'The food bank' };
  const { body: asked } = await ada.spend(wish, 'wish');
  assert.deepEqual([asked.state, asked.requestText, asked.gifts.length], ['REQUESTED', 'The food bank', 3]);
  const overview = await workspace.read<{ attention: { openRequests: number } }>('/api/v1/reports/overview');
  assert.equal(overview.attention.openRequests, 1);
  const last = asked.gifts.at(-1)?.redemptionId;
  const declined = await workspace.call(`/api/v1/redemptions/${last}/decline`, {
    method: 'POST',
    body: { note: 'No.' },
  });
  assert.equal(declined.status, 200);
  const { state, note, left } = await ada.done<typeof asked>(`/spending/${asked.id}`);
  assert.deepEqual([state, note, left], ['DECLINED', 'No.', 60]);
  const mails = await database.query(`select from mails where workspace_id = $1 and kind = 'DECISION'`, [workspace.id]);
  assert.equal(mails.length, 1);
  const states = await Promise.all(ids.map(async (id) => (await readGift(database, workspace.id, id)).state));
  assert.deepEqual(states, ['CLAIMED', 'CLAIMED', 'CLAIMED']);
  await checkLedger(database);
});

test('what was spent together is reversed together, by the company or by its recipient', async () => {
  const { ada, bob, opened, workspace } = await openRecipients(service);
  await opened([20, 20]);
  const { body: one } = await ada.spend({ amount: 30 }, 'one');
  await workspace.call(`/api/v1/redemptions/${one.gifts[1]?.redemptionId}/reverse`, { method: 'POST', body: {} });
  assert.equal(await ada.left(), 40);
  const { body: two } = await ada.spend({ amount: 40 }, 'two');
  assert.equal(two.isReversible, true);
  refusal(await bob.call(`/spending/${two.id}/reverse`, {}), 404);
  assert.equal((await ada.done<typeof two>(`/spending/${two.id}/reverse`, {})).state, 'REVERSED');
  assert.equal((await ada.done<typeof two>(`/spending/${two.id}/reverse`, {})).left, 40);
  const { body: three } = await ada.spend({ amount: 40 }, 'three');
  await workspace.call('/api/v1/payroll-exports', { method: 'POST', headers: { 'Idempotency-Key': 'November' } });
  assert.match(refusal(await ada.call(`/spending/${three.id}/reverse`, {}), 409), /can no longer be reversed/);
  const { lines, totals } = await workspace.read<Record<string, unknown>>('/api/v1/payroll-exports/1');
  assert.deepEqual([lines, totals], [2, [{ currency: 'CAD', amount: 40 }]]);
  await checkLedger(database);
});

test('a gift card that several gifts have paid is shown to its recipient, and not on the pages of the gifts', async () => {
  const { ada, opened, workspace } = await openRecipients(service);
  const pools = createPools((path, asked) => workspace.call(path, asked));
  const { id: poolId } = await pools.add({ name: 'Cards' });
  await pools.upload(poolId, codeFile('Books,30,BOOK-30,,'));
  await offerSpendingOption(database, workspace.id, 'cards', { kind: 'POOL', name: 'Cards', poolId });
  const [first = 0] = await opened([20, 20]);
  const card = { amount: 30, spendingOption: 'cards', retailer: 'Books' };
  const { body: bought } = await ada.spend(card, 'card');
  assert.deepEqual([bought.hasCode, bought.retailer, bought.gifts.length], [true, 'Books', 2]);
  assert.match(
    refusal(await ada.spend({ ...card, amount: 10 }, 'none'), 409),
    /Nothing was spent: no gift card of Books/,
  );
  assert.equal(await ada.left(), 10);
  refusal(await ada.call(`/spending/${bought.id}/code`, {}), 403);
  const browser = await signIn(service, { workspace: workspace.id, email: 'ada@example.com' });
  const read = (path: string) => browser.call<{ code: string }>(path, { method: 'POST', workspace: workspace.id });
  assert.equal((await read(`/api/v1/me/spending/${bought.id}/code`)).body.code, 'BOOK-30');
  const { requestId } = await workspace.read<{ requestId: string }>(`/api/v1/gifts/${first}`);
  const { certificates } = await workspace.outcome(requestId);
  const page = await postPage('/g', { token: certificates[0]?.longToken ?? '' });
  assert.match(page, /Together with other gifts/);
  const revealed = await postPage('/g/reveal', {
    token: certificates[0]?.longToken ?? '',
    redemption: String(bought.id),
  });
  assert.doesNotMatch(page + revealed, /BOOK-30/);
});

test('forty spendings of one person at once, at two nodes, take what is there, and none gets a 503', async () => {
  const { ada, opened } = await openRecipients(service);
  await opened([10, 10, 10]);
  const spend = (nth: number) => ada.spend({ amount: 1 }, randomUUID(), nth % 2 ? other : service);
  const answers = await Promise.all(Array.from({ length: 40 }, (_, nth) => spend(nth)));
  const statuses = Object.groupBy(answers, ({ status }) => status);
  assert.deepEqual([statuses[201]?.length, statuses[402]?.length, statuses[503]], [30, 10, undefined]);
  await checkLedger(database);
});

test('a thousand gifts are spent together', async () => {
  const { ada, issue, workspace } = await openRecipients(service);
  await issue(Array.from({ length: 1_000 }, () => 1));
  await database.query('update certificates set viewed_at = now() where workspace_id = $1', [workspace.id]);
  const { status, body } = await ada.spend({ amount: 999.5 }, 'all');
  assert.equal(status, 201, JSON.stringify(body));
  assert.deepEqual([body.gifts.length, body.left], [1_000, 0.5]);
  await checkLedger(database);
});

test('verification finds a redemption that names another one, with which it was not spent', async () => {
  const { ada, opened, workspace } = await openRecipients(service);
  await opened([10, 10]);
  const { body: one } = await ada.spend({ amount: 15 }, 'one');
  const { body: two } = await ada.spend({ amount: 5 }, 'two');
  const set = 'update redemptions set spending_id = $3 where workspace_id = $1 and id = $2';
  await database.query(set, [workspace.id, two.id, one.id]);
  const { faults } = await verifyLedger(database, { workspaceId: workspace.id });
  assert.match(faults[0]?.problem ?? '', /names redemption \d+, and was not spent together with it/);
  await database.query(set, [workspace.id, two.id, null]);
  await checkLedger(database);
});

async function postPage(path: string, fields: Record<string, string>): Promise<string> {
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded', Origin: service.url };
  return (await fetch(service.url + path, { method: 'POST', headers, body: new URLSearchParams(fields) })).text();
}
