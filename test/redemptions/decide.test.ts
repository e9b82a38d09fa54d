import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AuditPage } from '../../src/ground/contract/audit.ts';
import type { EventPage } from '../../src/ground/contract/event-list.ts';
import type { Redemption } from '../../src/ground/contract/redemption.ts';
import type { SpendingRequest } from '../../src/ground/contract/spending-request.ts';
import { readRedemptionsOfGift } from '../../src/spending/redemptions/read.ts';
import { checkLedger } from '../support/budgets.ts';
import { createGifts, titleOf, tokenKey } from '../support/gift-page.ts';
import { offerSpendingOption } from '../support/redemptions.ts';
import { startService } from '../support/service.ts';
import { offerAllOptions } from '../support/spending.ts';
import { refusal } from '../support/workspace.ts';

const service = await startService({ mailServer: 'outbox', tokenKey });
const { database } = service;
const gifts = createGifts(service);
const { claimed, spend } = await offerAllOptions(service, gifts);
await gifts.set(`brand_name = 'Northwind Labs'`);

const decide = (id: number, decision: 'fulfil' | 'decline', body?: unknown) =>
  service.call<SpendingRequest>(`/api/v1/redemptions/${id}/${decision}`, {
    method: 'POST',
    ...(body !== undefined && { body }),
  });

/** A claimed gift whose owner asked for a donation of all of it. */
async function requested(amount = 30) {
  const certificate = await claimed(amount);
  const { longToken: token } = certificate;
  assert.equal(
    titleOf(await spend(token, { option: 'charity', amount: `${amount}`, requestText: 'The food bank' })),
    'Northwind Labs has your request',
  );
  const [request] = await readRedemptionsOfGift(database, service.workspaceId, await gifts.read(certificate));
  return { certificate, token, request: request as Redemption };
}

test('a request that is fulfilled stays spent, and the recipient reads the note', async () => {
  const { certificate, token, request } = await requested();
  assert.deepEqual(
    [request.state, request.requestText, request.amount, request.left],
    ['REQUESTED', 'The food bank', 30, 0],
  );
  const { status, body } = await decide(request.id, 'fulfil', { note: ' Donated on <b>3 December</b>. ' });
  assert.deepEqual([status, body.state, body.note], [200, 'DONE', 'Donated on <b>3 December</b>.']);
  assert.equal((await decide(request.id, 'fulfil')).status, 200, 'the same again changes nothing');
  assert.match(refusal(await decide(request.id, 'decline'), 409), /is DONE/);
  assert.equal((await gifts.read(certificate)).state, 'REDEEMED');
  const { text } = await gifts.post('/g', { token });
  assert.match(text, /Done<\/span>.*Donated on &(#60|lt);b&(#62|gt);3 December/s);
});

test('the file of redemptions has what people asked for in its last column', async () => {
  const { certificate } = await requested();
  const path = `/api/v1/redemptions?gift=${certificate.id}`;
  const { status, body } = await service.call<string>(path, { headers: { Accept: 'text/csv' } });
  const [header = '', line = ''] = body.split(/\r?\n/);
  assert.deepEqual([status, header.split(',').at(-1), line.split(',').at(-1)], [200, 'requestText', 'The food bank']);
});

test('a request that is declined gives the balance back once, and it can be spent again', async () => {
  const { certificate, token, request } = await requested();
  const decided = await Promise.all(
    Array.from({ length: 10 }, () => decide(request.id, 'decline', { note: 'Not possible.' })),
  );
  assert.deepEqual([...new Set(decided.map(({ status, body }) => `${status} ${body.state}`))], ['200 DECLINED']);
  const after = await gifts.read(certificate);
  assert.deepEqual([after.state, after.redeemed], ['CLAIMED', 0]);
  assert.match(refusal(await decide(request.id, 'fulfil'), 409), /is DECLINED/);
  const { text } = await gifts.post('/g', { token });
  assert.match(text, /Declined\. The amount is back on your gift.*Not possible\./s);
  assert.match(text, /Spending options/);
  await spend(token, { option: 'payroll', amount: '30' });
  assert.equal((await gifts.read(certificate)).state, 'REDEEMED');
  await checkLedger(database);
});

test('decisions race: one of them counts', async () => {
  const { certificate, request } = await requested();
  const answers = await Promise.all(
    [0, 1, 2, 3, 4, 5].map((nth) => decide(request.id, nth % 2 === 0 ? 'fulfil' : 'decline')),
  );
  const states = new Set(answers.filter(({ status }) => status === 200).map(({ body }) => body.state));
  assert.equal(states.size, 1);
  assert.equal(answers.filter(({ status }) => status === 409).length, 3);
  assert.equal((await gifts.read(certificate)).redeemed, states.has('DONE') ? 30 : 0);
  await checkLedger(database);
});

test('only requests are decided, by those who manage gifts, and each decision is an event and in the audit log', async () => {
  const certificate = await claimed(20);
  await spend(certificate.longToken, { option: 'payroll', amount: '20' });
  const [paid] = await readRedemptionsOfGift(database, service.workspaceId, await gifts.read(certificate));
  assert.match(refusal(await decide(paid?.id ?? 0, 'decline'), 409), /has the kind PAYROLL/);
  refusal(await decide(999_999, 'decline'), 404);
  refusal(await decide(1, 'fulfil', { note: 'x'.repeat(501) }), 400);
  const other = await service.addWorkspace();
  await offerSpendingOption(database, other, 'charity', { kind: 'HAND', name: 'Charity' });
  const { request } = await requested();
  const { token: reader } = await service.addToken({ scopes: ['gifts:read'] });
  refusal(await service.call(`/api/v1/redemptions/${request.id}/fulfil`, { method: 'POST', token: reader }), 403);
  const { token: stranger } = await service.addToken({ workspaces: [other] });
  const elsewhere = { method: 'POST', token: stranger, workspace: other };
  refusal(await service.call(`/api/v1/redemptions/${request.id}/fulfil`, elsewhere), 404);
  await decide(request.id, 'decline', { note: 'Sorry.' });
  const { body: log } = await service.call<AuditPage>('/api/v1/audit?action=redemption');
  assert.deepEqual([log.entries[0]?.action, log.entries[0]?.subjectId], ['redemption.declined', `${request.id}`]);
  const { body: told } = await service.call<EventPage>('/api/v1/events?size=1000');
  const about = told.events.filter(({ data }) => (data as { redemptionId?: number }).redemptionId === request.id);
  assert.deepEqual(
    about.map(({ type }) => type),
    ['gift.redeemed', 'redemption.requested', 'gift.redemption_reversed', 'redemption.declined'],
  );
  assert.doesNotMatch(JSON.stringify(told), /food bank|Sorry/, 'events have no texts of people');
});
