import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '../support/eventually.ts';
import { readDocument } from '../support/openapi.ts';
import { aGift, anOrder } from '../support/orders.ts';
import { walkOwnGifts } from '../support/own-gifts-walk.ts';
import { asPerson, isAboutMoney, openWalk } from '../support/prism.ts';
import { claim, offerSpendingOption, spend } from '../support/redemptions.ts';
import { startService } from '../support/service.ts';
import { signIn } from '../support/sign-in.ts';
import { openWorkspace } from '../support/workspace.ts';

const service = await startService({ mailServer: 'outbox' });
const workspace = await openWorkspace(service, {
  people: [
    { email: 'ada@example.com', firstName: 'Ada', lastName: 'Lovelace', employeeNumber: '1' },
    { email: 'grace@example.com', firstName: 'Grace', department: 'Research' },
  ],
  actsAs: 'grace@example.com',
});
const { token: scopeless } = await service.addToken({ workspaces: [workspace.id], scopes: [] });
const { step, checkComplete } = await openWalk(service, workspace, await readDocument());
const unknownId = { id: 999_999_999 };

test('spending options, tills and redemptions are as the document says', async () => {
  const option = { id: 'shop' };
  await step('setSpendingOption', 200, {
    path: option,
    body: { kind: 'TILL', name: 'Shop', link: 'https://example.com/{code}' },
  });
  await step('setSpendingOption', 409, { path: option, body: { kind: 'HAND', name: 'Shop' } });
  await step('setSpendingOption', 400, {
    path: option,
    body: { kind: 'TILL', name: 'Shop', minAmount: 3, maxAmount: 2 },
  });
  await step('listSpendingOptions', 200);
  await step('listSpendingOptions', 403, { token: scopeless });
  const { certificates } = await workspace.outcome(await workspace.submit([aGift()]));
  const { id, longToken, shortToken } = certificates[0] as { id: number; longToken: string; shortToken: string };
  await step('checkGift', 200, { body: { token: shortToken } });
  await step('checkGift', 404, { body: { token: '0000-0000-0000-0000' } });
  const headers = { 'Idempotency-Key': 'till 1' };
  const sale = { body: { token: longToken, amount: 5, reference: 'R 1' }, headers };
  const path = await step('redeemGift', 201, sale);
  assert.equal((await step('redeemGift', 201, sale)).id, path.id, 'a replay');
  await step('redeemGift', 422, { body: { token: shortToken }, headers });
  await step('redeemGift', 402, { body: { token: shortToken, amount: 21 }, headers: { 'Idempotency-Key': 'till 2' } });
  const closed = { kind: 'TILL', name: 'Shop', currencies: ['USD'] };
  await step('setSpendingOption', 200, { path: option, body: closed });
  await step('redeemGift', 409, { body: { token: shortToken }, headers: { 'Idempotency-Key': 'till 3' } });
  await step('voidRedemption', 200, { path });
  await step('voidRedemption', 404, { path: unknownId });
  await step('reverseRedemption', 200, { path, body: { note: 'Chosen twice' } });
  await step('reverseRedemption', 404, { path: unknownId, body: {} });
  await step('listPayrollExports', 200, { query: '?size=1' });
  await step('listPayrollExports', 400, { query: '?sizes=1' });
  await spend(service.database, workspace.id, id, 'payroll', { amount: 5 });
  await step('closePayrollExport', 201, { headers: { 'Idempotency-Key': 'November' } });
  await step('closePayrollExport', 409);
  await step('getPayrollExport', 200, { path: { number: 1 } });
  await step('getPayrollExport', 200, { path: { number: 1 }, headers: { Accept: 'text/csv' } });
  await step('getPayrollExport', 404, { path: { number: 2 } });
  await step('getTaxLog', 200, { query: '?year=2026&size=1' });
  await step('getTaxLog', 200, { query: '?year=2026', headers: { Accept: 'text/csv' } });
  await step('getTaxTotals', 200, { query: '?year=2026&show=OVER&search=ada' });
  await step('getTaxTotals', 400, { query: '?year=2026&shows=OVER' });
  await step('previewPayrollExport', 200, { query: '?size=1' });
  await step('previewPayrollExport', 400, { query: '?sizes=1' });
  await step('getTaxLog', 403, { query: '?year=2026', token: scopeless });
  await step('listRedemptions', 200, { query: '?kind=TILL&size=1' });
  await step('listRedemptions', 200, { headers: { Accept: 'text/csv' } });
  await step('listRedemptions', 400, { query: '?kinds=TILL' });
});

test('budgets and balances are as the document says', async () => {
  const path = await step('addBudget', 201, { body: { currency: 'CHF', amount: 50, giftLimit: null } });
  await step('addBudget', 409, { body: { currency: 'CHF' } });
  const tooMuch = anOrder({ currency: 'CHF', orderItems: [aGift({ amount: 51 })] });
  // The first budget of a workspace counts within a second.
  await eventually(
    async () => (await workspace.call('/api/v1/orders', { method: 'POST', body: tooMuch })).status === 402,
  );
  await step('createOrder', 402, { body: tooMuch });
  const member = { currency: 'CHF', memberId: workspace.memberIds[0], allowance: { amount: 5, every: 'MONTH' } };
  await step('addBudget', 201, { body: member });
  await step('listBudgets', 200, { query: '?currency=CHF&includeClosed=true' });
  await step('listBudgets', 200, { headers: { Accept: 'text/csv' } });
  await step('listBudgets', 400, { query: '?currencies=CHF' });
  await step('getBudget', 200, { path });
  await step('changeBudget', 200, { path, body: { lowPercents: [50] } });
  await step('grantMoney', 201, { path, body: { amount: 10, note: 'Spring' }, headers: { 'Idempotency-Key': 'g' } });
  await step('grantMoney', 422, { path, body: { amount: 11, note: 'Spring' }, headers: { 'Idempotency-Key': 'g' } });
  await step('withdrawMoney', 201, { path, body: { amount: 10 } });
  await step('withdrawMoney', 409, { path, body: { amount: 51 } });
  await step('listLedgerEntries', 200, { path, query: '?size=2' });
  await step('getLedgerEntry', 200, { path: { ...path, number: 1 } });
  await step('getWorkspaceBalance', 200, { path: { currency: 'CHF' } });
  await step('getWorkspaceBalance', 404, { path: { currency: 'SEK' } });
  await step('getMemberBalance', 200, { path: { employeeNumber: '1', currency: 'CHF' } });
  await step('getMemberBalance', 404, { path: { employeeNumber: '2', currency: 'CHF' } });
  await step('listMemberBalances', 200, { path: { currency: 'CHF' }, query: '?size=5' });
  await step('listMemberBalances', 403, { path: { currency: 'CHF' }, token: scopeless });
  await step('verifyLedger', 200);
  await step('startLedgerVerification', 202);
  await step('listLedgerVerifications', 200);
  for (const operationId of ['startLedgerVerification', 'listLedgerVerifications'])
    await step(operationId, 403, { token: scopeless });
  await step('verifyLedger', 400, { query: '?heads=x' });
  await step('closeBudget', 204, { path });
  await step('changeBudget', 409, { path, body: { lowPercents: [50] } });
  for (const operationId of ['getBudget', 'closeBudget', 'listLedgerEntries'])
    await step(operationId, 404, { path: unknownId });
  await step('getLedgerEntry', 404, { path: { ...path, number: 99 } });
});

test('requests are as the document says', async () => {
  await offerSpendingOption(service.database, workspace.id, 'charity', { kind: 'HAND', name: 'Charity' });
  const makeRequest = async () => {
    const { certificates } = await workspace.outcome(await workspace.submit([aGift()]));
    const { id } = certificates[0] as { id: number };
    await claim(service.database, workspace.id, id);
    return (await spend(service.database, workspace.id, id, 'charity', { amount: 1 })).redemption;
  };
  const path = await makeRequest();
  await step('fulfilSpendingRequest', 200, { path, body: { note: 'Done.' } });
  await step('declineSpendingRequest', 409, { path, body: {} });
  await step('declineSpendingRequest', 200, { path: await makeRequest(), body: {} });
  await step('fulfilSpendingRequest', 404, { path: unknownId, body: {} });
});

test('pools are as the document says', async () => {
  const path = await step('addPool', 201, { body: { name: 'Bookshops', currency: 'CAD' } });
  await step('addPool', 409, { body: { name: 'bookshops', currency: 'CAD' } });
  await step('addPool', 400, { body: { name: 'Cinemas', currency: 'ZZZ' } });
  await step('addCodes', 201, { path, body: 'retailer,value,code\nRiverside Books,25,A-1\n' });
  await step('addCodes', 400, { path, body: 'retailer,value,code\nRiverside Books,25,A-1\n' });
  await step('removeCodes', 200, { path, query: '?retailer=Riverside%20Books&value=25' });
  await step('removeCodes', 400, { path, query: '?retailers=Riverside' });
  await step('removeCodes', 404, { path: unknownId });
  await step('changePool', 200, { path, body: { lowAt: 5 } });
  await step('getPool', 200, { path });
  await step('getPool', 404, { path: unknownId });
  await step('changePool', 404, { path: unknownId, body: { lowAt: 5 } });
  await step('listPools', 200);
  await step('listPools', 403, { token: scopeless });
});

test('own gifts are as the document says', async () => {
  const pool = await step('addPool', 201, { body: { name: 'Cards', currency: 'CAD' } });
  const retailer = 'Riverside Books';
  await step('addCodes', 201, { path: pool, body: `retailer,value,code\n${retailer},30,B-1\n` });
  await offerSpendingOption(service.database, workspace.id, 'cards', { kind: 'POOL', name: 'Cards', poolId: pool.id });
  const recipient = { email: 'grace@example.com' };
  const orderItems = Array.from({ length: 4 }, () => aGift({ recipient }));
  const { certificates } = await workspace.outcome(await workspace.submit(orderItems));
  const gifts = certificates.map(({ id }) => id) as [number, number, number, number];
  for (const id of gifts.slice(2)) await claim(service.database, workspace.id, id);
  const grace = await signIn(service, { workspace: workspace.id, ...recipient });
  await walkOwnGifts(step, { asked: asPerson(service, grace), scopeless, gifts, retailer });
});

test('the walk called every operation about money, with success and with an error', () => {
  checkComplete(isAboutMoney);
});
