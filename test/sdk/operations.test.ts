import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anOrderOf, collect, methodsOf, openClient, watchMethods } from '../support/client.ts';
import { useAutomations } from '../support/client-of-automations.ts';
import { useEmployees } from '../support/client-of-employees.ts';
import { useFeed } from '../support/client-of-feed.ts';
import { useNoGifts, useOwnGifts } from '../support/client-of-own-gifts.ts';
import { useRights } from '../support/client-of-rights.ts';
import { useApprovals, useCustomFields, useRules, useUndos, useUsers } from '../support/client-of-settings.ts';
import { eventually } from '../support/eventually.ts';
import { aPng } from '../support/mails.ts';
import { operationsOf, readDocument } from '../support/openapi.ts';
import { startReceiver } from '../support/receiver.ts';
import { startService } from '../support/service.ts';

const service = await startService({ mailServer: 'outbox' });
/** Method and path of every request that a client of this file has sent. */
const requested: { method: string; path: string }[] = [];
const { giftwire, clientOf, id } = await openClient(service, {
  opening: {
    asksForApproval: true,
    people: [{ email: 'ada@example.com', firstName: 'Ada', employeeNumber: '1001', department: 'Sales' }],
  },
  fetch: (url, init) => {
    requested.push({ method: init.method ?? 'GET', path: new URL(url).pathname });
    return fetch(url, init);
  },
});
const called = watchMethods(giftwire);

async function textOf(bytes: ReadableStream<Uint8Array>): Promise<string> {
  return new Response(bytes).text();
}

test('orders: a trial, a gift in three lines, its status, its certificates', async () => {
  const trial = await giftwire.orders.validate(anOrderOf('ada@example.com'));
  assert.deepEqual([trial.valid, trial.total, trial.items[0]?.member?.firstName], [true, 25, 'Ada']);
  const { requestId, customerRequestId, replayed } = await giftwire.orders.create(anOrderOf('ada@example.com'), {
    customerRequestId: 'für Ada ♥',
  });
  const order = await giftwire.orders.waitFor(requestId);
  assert.deepEqual([customerRequestId, replayed, order.state], ['für Ada ♥', false, 'COMPLETED']);
  const status = await giftwire.orders.status(requestId);
  assert.deepEqual([status.requestStatus, status.orderId], ['COMPLETED', order.id]);
  assert.deepEqual(await giftwire.orders.issued(requestId), status);
  assert.deepEqual((await giftwire.orders.retrieve(requestId)).certificates, order.certificates);
  assert.deepEqual(await collect(giftwire.orders.certificates(requestId)), order.certificates);
  assert.equal(order.certificates[0]?.amount, 25);
  const { orders, next } = await giftwire.orders.list({ status: 'COMPLETED' });
  assert.deepEqual([orders[0]?.requestId, orders[0]?.total, next], [requestId, 25, null]);
  assert.deepEqual(await collect(giftwire.orders.all({ size: 1 })), orders);
  const details = await giftwire.orders.details(requestId, { size: 1 });
  assert.equal(details.lines[0]?.giftId, order.certificates[0]?.id);
  await assert.rejects(giftwire.orders.retry(requestId), { status: 409, message: /has not failed/ });
});

test('gifts: list, get, send again, correct, extend, print, cancel; and a mail that came back', async () => {
  const { requestId } = await giftwire.orders.create(anOrderOf('grace@example.com'));
  const [certificate] = (await giftwire.orders.waitFor(requestId)).certificates;
  const id = certificate?.id as number;
  const { gifts, next } = await giftwire.gifts.list({ requestId, state: 'ISSUED' });
  assert.deepEqual([gifts.map((gift) => gift.id), next], [[id], null]);
  // Its mail may have been sent in between.
  assert.deepEqual(
    (await collect(giftwire.gifts.all({ requestId }))).map((gift) => gift.id),
    [id],
  );
  assert.equal((await collect(giftwire.gifts.all({ size: 1 }))).length, 2);
  assert.equal(typeof (await giftwire.gifts.totals({ requestId })), 'object');
  assert.equal((await giftwire.gifts.retrieve(id)).timeline[0]?.type, 'ISSUED');
  assert.match(await textOf(await giftwire.gifts.csv({ search: 'grace' })), /^id,state,.*\n.*grace@example\.com.*\n$/);
  // A gift can be put right while its mail is not under way.
  const mailed = () => eventually(async () => (await giftwire.gifts.retrieve(id)).delivery === 'SENT');
  await mailed();
  assert.equal((await giftwire.gifts.resend(id, { idempotencyKey: 'again' })).replayed, false);
  await mailed();
  assert.equal((await giftwire.gifts.resend(id, { idempotencyKey: 'again' })).replayed, true);
  assert.equal((await giftwire.gifts.correct(id, { email: 'g@example.com' })).address, 'g@example.com');
  await mailed();
  assert.equal((await giftwire.gifts.extend(id, { expiresOn: null })).expiresAt, null);
  assert.match(await giftwire.gifts.print({ ids: [id], perPage: 8 }), /^<!doctype html>/i);
  const bulk = await giftwire.bulkActions.create(
    { action: 'CANCEL', gifts: { requestId } },
    { idempotencyKey: 'bulk' },
  );
  await eventually(async () => (await giftwire.bulkActions.retrieve(bulk.id)).status === 'COMPLETED');
  assert.equal((await giftwire.bulkActions.list()).bulkActions[0]?.changed, 1);
  assert.deepEqual(
    [
      await giftwire.bulkActions.gifts(bulk.id, { outcome: 'CHANGED' }),
      await collect(giftwire.bulkActions.allGifts(bulk.id)),
    ].map((page) => ('gifts' in page ? page.gifts : page).map(({ giftId }) => giftId)),
    [[id], [id]],
  );
  assert.equal((await giftwire.gifts.cancel(id)).state, 'CANCELLED');
  const draft = { message: 'Thank you!', amount: 25, currency: 'CAD' };
  assert.match((await giftwire.gifts.preview(draft)).subject, /sent you a gift$/);
  await assert.rejects(giftwire.gifts.test(draft), { status: 409, message: /your own email address/ });
  const unknown = { messageId: '<x@example.com>', status: '5.1.1' };
  await assert.rejects(giftwire.bounces.report(unknown), { status: 404, type: 'invalid_field' });
  await assert.rejects(giftwire.bounces.report('Subject: none'), { status: 400, message: /RFC 3464/ });
});

test('members: add, change, leave, return, merge, split, import, and their recognition', async () => {
  const nia = await giftwire.members.create({ email: 'nia@example.com', firstName: 'Nia' });
  const changed = await giftwire.members.update(nia.id, { team: 'Platform', location: 'Cardiff' });
  assert.deepEqual([changed.team.name, changed.location], ['Platform', 'Cardiff']);
  await useRights(giftwire, nia.id);
  const twin = await giftwire.members.create({ employeeNumber: 'N-1' });
  const merged = await giftwire.members.merge(twin.id, { into: nia.id });
  assert.deepEqual([merged.id, merged.employeeNumber], [nia.id, 'N-1']);
  const other = await giftwire.members.split(nia.id, { move: ['employeeNumber'] });
  assert.deepEqual([other.employeeNumber, other.email, other.active], ['N-1', null, true]);
  assert.equal((await giftwire.members.return(nia.id)).employeeNumber, null);
  const file = 'Mail,Name\nnia@example.com,Nia Evans\n';
  const options = { map: { Mail: 'email', Name: 'fullName' }, dryRun: true };
  const result = await giftwire.members.import(file, options);
  assert.deepEqual([result.dryRun, result.changed, result.changes[0]?.fields], [true, 1, ['lastName']]);
  assert.equal((await giftwire.members.import(new Blob([file]), { ...options, dryRun: false })).changed, 1);
  const { members } = await giftwire.members.list({ search: 'ada' });
  const ada = members[0]?.id as number;
  const { activities, next } = await giftwire.members.activities(ada, { direction: 'received' });
  assert.deepEqual([activities.map(({ type }) => type), next], [['GIFT'], null]);
  assert.deepEqual(await collect(giftwire.members.allActivities(ada)), activities);
});

test('members: a page, everybody, one, suggestions', async () => {
  const { members, totalElements } = await giftwire.members.list({ department: 'sales', includeInactive: false });
  assert.deepEqual([members[0]?.firstName, totalElements], ['Ada', 1]);
  const [ada] = members;
  assert.deepEqual(await collect(giftwire.members.all({ search: 'ada' })), [ada]);
  assert.deepEqual(await giftwire.members.retrieve(ada?.id as number), ada);
  assert.deepEqual(
    (await giftwire.members.suggest({ search: 'a' })).map(({ email }) => email),
    ['ada@example.com'],
  );
});

test('reasons: add, change, list, retire, undo', async () => {
  const added = await giftwire.reasons.create({ description: 'Mentoring' });
  const changed = await giftwire.reasons.update(added.id, { description: 'Helping others' });
  assert.deepEqual(changed, { id: added.id, description: 'Helping others', isDefault: false });
  assert.ok((await giftwire.reasons.list()).some(({ id }) => id === added.id));
  assert.equal(await giftwire.reasons.delete(added.id), undefined);
  assert.ok((await giftwire.reasons.list()).every(({ id }) => id !== added.id));
  await useUndos(giftwire);
});

test('custom fields: add, change, get, list, remove', () => useCustomFields(giftwire));
test('rules: add, get, list, change, delete', () => useRules(giftwire));
test('approvals: list, get, decide, name a deputy', () => useApprovals(giftwire));

test('shoutouts: give, list, get, approve, decline', async () => {
  const thanks = { recipient: { email: 'ada@example.com' }, message: 'Well done!' };
  const one = await giftwire.shoutouts.create(thanks, { idempotencyKey: 'one' });
  const again = await giftwire.shoutouts.create(thanks, { idempotencyKey: 'one' });
  const other = await giftwire.shoutouts.create(thanks);
  assert.deepEqual([one.status, one.replayed, again.id, again.replayed], ['PENDING', false, one.id, true]);
  assert.equal((await giftwire.shoutouts.list()).totalElements, 2);
  assert.deepEqual(
    (await collect(giftwire.shoutouts.all({ status: 'PENDING' }))).map(({ id }) => id),
    [other.id, one.id],
  );
  assert.equal((await giftwire.shoutouts.retrieve(one.id)).description, 'Well done!');
  assert.equal((await giftwire.shoutouts.approve(one.id)).status, 'APPROVED');
  assert.equal((await giftwire.shoutouts.decline(other.id, { reason: 'Twice.' })).decisionReason, 'Twice.');
});

test('reports: as pages, element by element, and as files', async () => {
  const { activities } = await giftwire.reports.teamActivity({ size: 5 });
  assert.deepEqual(activities.map(({ type }) => type).sort(), ['GIFT', 'GIFT', 'SHOUTOUT']);
  assert.equal((await collect(giftwire.reports.allTeamActivity())).length, 3);
  assert.match(
    await textOf(await giftwire.reports.teamActivityCsv()),
    /^status,.*\n.*SHOUTOUT.*\n.*GIFT.*\n.*GIFT.*\n$/,
  );
  const { teamMembers } = await giftwire.reports.lastRecognized({ department: 'Sales' });
  assert.equal(teamMembers[0]?.teamMember.email, 'ada@example.com');
  assert.deepEqual(await collect(giftwire.reports.allLastRecognized({ department: 'Sales' })), teamMembers);
  assert.match(await textOf(await giftwire.reports.lastRecognizedCsv({ bom: true })), /ada@example\.com/);
});

test('reports about groups and spans of days, and as files', async () => {
  const { current, attention } = await giftwire.reports.overview();
  assert.deepEqual([current.gifts, attention.waitingShoutouts], [2, 0]);
  const { points } = await giftwire.reports.series({ by: 'day' });
  assert.deepEqual([points.length, points.at(-1)?.gifts], [30, 2]);
  assert.match(await textOf(await giftwire.reports.seriesCsv({ by: 'month' })), /^from,to,gifts,.*\n.*CAD 50\n$/s);
  const { groups, company } = await giftwire.reports.coverage({ by: 'department', sort: 'name' });
  assert.ok(groups.some(({ name, recognized }) => name === 'Sales' && recognized > 0) && company.people > 1);
  assert.match(await textOf(await giftwire.reports.coverageCsv({ by: 'team' })), /^id,name,people/);
  assert.deepEqual((await giftwire.reports.fairness()).managers, []);
  assert.match(await textOf(await giftwire.reports.fairnessCsv()), /^managerId,/);
  assert.ok((await giftwire.reports.notRecognized()).members.every(({ lastDate }) => lastDate === null));
  assert.match(await textOf(await giftwire.reports.notRecognizedCsv({ never: true })), /^id,email,/);
});

test('spending options and redemptions: offer a till, check, redeem, void, list', async () => {
  const shop = await giftwire.spendingOptions.update('shop', { kind: 'TILL', name: 'Book shop' });
  assert.deepEqual(
    [shop.taxType, (await giftwire.spendingOptions.list()).spendingOptions.map(({ id }) => id)],
    ['NEAR_CASH', ['payroll', 'shop']],
  );
  const { requestId } = await giftwire.orders.create(anOrderOf('ada@example.com'));
  const [{ shortToken: token } = { shortToken: '' }] = (await giftwire.orders.waitFor(requestId)).certificates;
  assert.deepEqual((await giftwire.redemptions.check(token)).left, 25);
  const key = { idempotencyKey: 'receipt 1' };
  const redeemed = await giftwire.redemptions.redeem({ token, amount: 10 }, key);
  const again = await giftwire.redemptions.redeem({ token, amount: 10 }, key);
  assert.deepEqual([redeemed.left, redeemed.replayed, again.id, again.replayed], [15, false, redeemed.id, true]);
  assert.equal((await giftwire.redemptions.void(redeemed.id)).state, 'REVERSED');
  assert.equal((await giftwire.redemptions.list({ spendingOption: 'shop' })).redemptions[0]?.id, redeemed.id);
  assert.equal((await collect(giftwire.redemptions.all({ size: 1 }))).length, 1);
  const paid = await giftwire.redemptions.redeem({ token, amount: 5 }, { idempotencyKey: 'receipt 2' });
  assert.equal((await giftwire.redemptions.reverse(paid.id, { note: 'Chosen twice' })).note, 'Chosen twice');
  await assert.rejects(giftwire.payroll.create(), /Nothing is to be paid/);
  assert.equal((await giftwire.payroll.list()).waiting, 0);
  assert.deepEqual((await giftwire.payroll.next()).lines, []);
  await assert.rejects(giftwire.payroll.retrieve(1), /no payroll export/);
  await assert.rejects(giftwire.payroll.csv(1), /no payroll export/);
  const year = new Date().getUTCFullYear();
  assert.ok((await giftwire.reports.taxLog({ year })).lines.length > 0);
  assert.ok((await giftwire.reports.taxTotals({ year })).people.length > 0);
  const lines = await collect(giftwire.reports.allOfTaxLog({ year, size: 1 }));
  assert.equal((await textOf(await giftwire.reports.taxLogCsv({ year }))).trim().split('\n').length, lines.length + 1);
  assert.match(
    await textOf(await giftwire.redemptions.csv()),
    /REVERSED,TILL,shop,Book shop,NEAR_CASH,Book shop,10,CAD,/,
  );
});

test('budgets and balances: set, grant, withdraw, read, close', async () => {
  const { members } = await giftwire.members.list({ search: 'ada' });
  const own = await giftwire.budgets.create({ currency: 'CHF', memberId: members[0]?.id as number, amount: 20 });
  const { id } = await giftwire.budgets.create({ currency: 'CHF', amount: 100, giftLimit: 50, lowPercents: [50, 10] });
  const granted = await giftwire.budgets.grant(id, { amount: 25.5, note: 'Spring' }, { idempotencyKey: 'spring' });
  const again = await giftwire.budgets.grant(id, { amount: 25.5, note: 'Spring' }, { idempotencyKey: 'spring' });
  assert.deepEqual(
    [granted.type, granted.replayed, again.replayed, again.hash],
    ['GRANTED', false, true, granted.hash],
  );
  await giftwire.budgets.withdraw(id, { amount: 5.5 });
  assert.equal((await giftwire.budgets.update(id, { giftLimit: null })).giftLimit, null);
  assert.equal((await giftwire.budgets.retrieve(id)).available, 120);
  assert.deepEqual(
    (await giftwire.budgets.list({ currency: 'CHF' })).budgets.map((budget) => budget.id),
    [own.id, id],
  );
  assert.equal((await collect(giftwire.budgets.all({ currency: 'CHF' }))).length, 2);
  assert.match(await textOf(await giftwire.budgets.csv({ currency: 'CHF' })), /WORKSPACE,,,,CHF,120,120,/);
  assert.equal((await giftwire.budgets.entries(id)).entries[0]?.type, 'WITHDRAWN');
  assert.match(await textOf(await giftwire.budgets.entriesCsv(id)), /GRANTED,granted,available,25\.5,0,Spring,/);
  assert.deepEqual((await giftwire.ledger.verify({ head: granted.hash })).agrees, true);
  const { number } = await giftwire.ledger.startVerification();
  assert.equal((await giftwire.ledger.verifications()).verifications[0]?.number, number);
  assert.match((await giftwire.budgets.entry(id, 2)).text, /^giftwire ledger 1\n/);
  assert.deepEqual(await giftwire.balances.ofWorkspace('CHF'), { balance: 120, amount: 120, currency: 'CHF' });
  const { memberBalanceResponses } = await giftwire.balances.ofMembers('CHF');
  assert.deepEqual(memberBalanceResponses, [
    { amount: 20, employeeNumber: '1001', memberId: members[0]?.id, user: members[0]?.id },
  ]);
  assert.deepEqual(await collect(giftwire.balances.ofAllMembers('CHF')), memberBalanceResponses);
  assert.match(await textOf(await giftwire.balances.csv('CHF')), /1001,\d+,20/);
  assert.deepEqual(await giftwire.balances.ofMember('1001', 'CHF'), { amount: 20, currency: 'CHF' });
  await giftwire.budgets.delete(id);
  await assert.rejects(giftwire.balances.ofWorkspace('CHF'), { status: 404 });
});

test('requests: only what a recipient asked for is decided', async () => {
  await assert.rejects(giftwire.spendingRequests.fulfil(999_999, { note: 'Done.' }), { status: 404 });
  await assert.rejects(giftwire.spendingRequests.decline(999_999), { status: 404 });
});

test('pools: add, fill, change, read, empty', async () => {
  const { id } = await giftwire.pools.create({ name: 'Bookshops', currency: 'CAD', lowAt: 1 });
  const { added, pool } = await giftwire.pools.addCodes(id, 'retailer,value,code\nRiverside Books,25,A-1\n');
  assert.deepEqual([added, pool.stocks[0]?.left], [1, 1]);
  await assert.rejects(giftwire.pools.addCodes(id, 'retailer,value,code\nRiverside Books,25,A-1\n'), {
    status: 400,
  });
  assert.equal((await giftwire.pools.update(id, { lowAt: 0 })).lowAt, 0);
  assert.deepEqual(await giftwire.pools.list(), [await giftwire.pools.retrieve(id)]);
  assert.equal((await giftwire.pools.removeCodes(id, { retailer: 'Riverside Books', value: 25 })).removed, 1);
});

test('events: a page, one, and as they happen', async () => {
  const { events, latest } = await giftwire.events.list({ types: ['order.completed', 'order.failed'] });
  const [completed] = events;
  assert.equal(completed?.type === 'order.completed' && completed.data.total, 25);
  assert.deepEqual(await giftwire.events.retrieve(completed?.id as string), completed);
  for await (const event of giftwire.events.stream({ after: latest - 1 })) {
    assert.equal(event.number, latest);
    break;
  }
});

test('webhooks: everything about an endpoint, and a signature', async () => {
  const receiver = await startReceiver();
  const { secret, ...webhook } = await giftwire.webhooks.create({ url: receiver.url, types: ['shoutout.given'] });
  assert.deepEqual(await giftwire.webhooks.list(), [webhook]);
  assert.deepEqual(await giftwire.webhooks.retrieve(webhook.id), webhook);
  assert.equal((await giftwire.webhooks.test(webhook.id, 'member.added')).succeeded, true);
  const [sample] = receiver.received;
  const event = await giftwire.webhooks.verify(sample?.body as string, sample?.headers ?? {}, secret);
  assert.equal(event.type, 'member.added');
  assert.equal((await giftwire.webhooks.update(webhook.id, { description: 'Payroll' })).description, 'Payroll');
  assert.notEqual((await giftwire.webhooks.rotate(webhook.id)).secret, secret);
  assert.equal((await giftwire.webhooks.disable(webhook.id)).disabledReason, 'BY_HAND');
  assert.equal((await giftwire.webhooks.enable(webhook.id)).enabled, true);
  assert.equal((await giftwire.webhooks.replay(webhook.id, { from: 1 })).id, webhook.id);
  assert.ok(Array.isArray(await giftwire.webhooks.attempts(webhook.id, { size: 5 })));
  assert.equal(await giftwire.webhooks.delete(webhook.id), undefined);
  await assert.rejects(giftwire.webhooks.retrieve(webhook.id), { status: 404, type: 'invalid_field' });
});

test('settings, the logo, mail and the outbox', async () => {
  const { brandName, giftDays } = await giftwire.settings.update({ brandName: 'Northwind', giftDays: 90 });
  assert.deepEqual([brandName, giftDays], ['Northwind', 90]);
  const { logo } = await giftwire.settings.setLogo(new Blob([new Uint8Array(aPng(540, 120))], { type: 'image/png' }));
  assert.equal((await fetch(`${service.url}${logo}`)).headers.get('Content-Type'), 'image/png');
  await giftwire.settings.removeLogo();
  assert.equal((await giftwire.settings.retrieve()).logo, null);
  const { kinds } = await giftwire.settings.updateRetention({ changes: [{ kind: 'emails', days: 365 }] });
  assert.deepEqual(await giftwire.settings.retention(), { kinds });
  assert.equal((await giftwire.settings.previewRetention()).due.length, kinds.length);
  assert.equal((await giftwire.mail.retrieve()).delivery, 'OUTBOX');
  assert.equal((await giftwire.mail.test({ to: 'ada@example.com' })).delivery, 'KEPT');
  const { requestId } = await giftwire.orders.create(anOrderOf('ada@example.com'));
  await giftwire.orders.waitFor(requestId);
  const [mail] = await eventually(
    async () => (await giftwire.outbox.list({ size: 1 })).mails,
    (mails) => mails.length > 0,
  );
  assert.match((await giftwire.outbox.retrieve(mail?.id ?? '')).text, /Payroll sent you a gift/);
  const { mails: older } = await giftwire.outbox.list({ before: mail?.id ?? '' });
  assert.ok(!older.some(({ id }) => id === mail?.id));
});

test('me, and who signs in: every method', () => useEmployees(giftwire));

test('users: let somebody in, change their role, sign them out, let them in no more', () => useUsers(giftwire));

test('tokens and the audit log: make, rotate, revoke, and read who did that', async () => {
  const { id, token } = await giftwire.tokens.create({ name: 'Payroll', scopes: ['orders:read'], expiresInDays: 90 });
  assert.match(token, /^gw_test_/);
  const rotated = await giftwire.tokens.rotate(id);
  await giftwire.tokens.delete(rotated.id);
  const { tokens } = await giftwire.tokens.list({ state: 'ENDED' });
  assert.deepEqual(
    tokens.map((one) => one.id),
    [rotated.id, id],
  );
  const { entries } = await giftwire.audit.list({ action: 'token' });
  assert.deepEqual(
    entries.map(({ action, actor, actorName }) => [action, actor, actorName]),
    [
      ...['token.revoked', 'token.rotated', 'token.created'].map((action) => [action, 'TOKEN', 'Payroll']),
      // The token that this file calls with.
      ['token.created', 'SYSTEM', null],
    ],
  );
  const lines = (await textOf(await giftwire.audit.csv({ action: 'token' }))).trim().split('\n');
  assert.equal(lines.length, 5);
  const { agrees, faults } = await giftwire.audit.verify();
  assert.deepEqual([agrees, faults], [true, []]);
});

test('my gifts and my spending: every method', async () => {
  const { email } = await giftwire.members.create({ email: 'zoe@example.com' });
  const zoes = { workspaces: [id], actsAs: 'zoe@example.com', scopes: ['me:read', 'me:write'] };
  const { token } = await service.addToken(zoes);
  await useOwnGifts(giftwire, clientOf({ token }), email as string);
  await useNoGifts(giftwire);
});

// After the reports, which count shoutouts and days.
test('the feed and my shoutouts: every method', () => useFeed(giftwire, 'ada@example.com'));

test('automations and clock: every method', () => useAutomations(giftwire));

test('every operation of the OpenAPI document has a method, and every method was called', async () => {
  const operations = [...operationsOf(await readDocument()).values()].filter(
    ({ path, deprecated }) => path.startsWith('/api/') && !deprecated,
  );
  const missing = operations.filter(({ method, path }) => {
    const pattern = new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`);
    return !requested.some((one) => one.method === method && pattern.test(one.path));
  });
  assert.deepEqual(
    missing.map(({ operationId }) => operationId),
    [],
    'add a method to sdk/src/resources, and call it in this file',
  );
  const methods = Object.entries(giftwire).flatMap(([name, one]) =>
    methodsOf(one).map((method) => `${name}.${method}`),
  );
  const uncalled = methods.filter((method) => !called.has(method));
  assert.deepEqual(uncalled, [], 'call it in this file');
});
