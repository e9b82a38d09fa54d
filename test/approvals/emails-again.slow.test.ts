import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emailNewApprovers } from '../../src/giving/delivery/approvals/watch.ts';
import type { Database } from '../../src/ground/database/database.ts';
import { createInbox } from '../support/approval-mails.ts';
import { openGate } from '../support/approvals.ts';
import { eventually } from '../support/eventually.ts';
import { mailSettings } from '../support/mail-queue.ts';
import { startMailServer } from '../support/mail-server.ts';
import { aGift } from '../support/orders.ts';
import { startService } from '../support/service.ts';

const mailServer = await startMailServer();
const service = await startService(mailSettings(mailServer.url));
const { database } = service;
const inbox = createInbox(service, mailServer);
const lucie = 'lucie@example.com';
const elena = 'elena@example.com';

const orderOf = (amount: number, changes: Record<string, unknown> = {}) => ({
  orderItems: [aGift({ amount })],
  ...changes,
});

test('an approver whose address changes gets an email with a link that decides, and the former link does not', async () => {
  const gate = await openGate(service);
  const requestId = await gate.send(gate.users.priya, orderOf(152.01));
  const former = await inbox.token(lucie, 'CA$152.01');
  await database.query(`update users set email = 'lucie.new@example.com' where id = $1`, [gate.users.lucie.user.id]);
  const token = await inbox.token('lucie.new@example.com', 'CA$152.01');
  assert.match((await inbox.decide(former, 'APPROVED')).text, /^This link no longer works/);
  assert.match((await inbox.decide(token, 'APPROVED')).text, /^You approved this/);
  assert.equal((await gate.workspace.finished(requestId)).requestStatus, 'COMPLETED');
  assert.equal((await inbox.all('lucie.new@example.com', 'CA$152.01')).length, 1);
});

test('an approver who is not asked when an email is due gets it when they are asked again', async () => {
  const gate = await openGate(service);
  const become = (role: string) =>
    database.query('update user_roles set role = $3 where workspace_id = $1 and user_id = $2', [
      gate.workspace.id,
      gate.users.lucie.user.id,
      role,
    ]);
  const headers = { 'X-Customer-Request-id': 'later.csv' };
  const requestId = await gate.send(gate.users.priya, orderOf(152.02), { headers });
  const untilMailIs = (state: string) =>
    eventually(
      () =>
        database.query('select from approval_mails where request_id = $1 and address = $2 and state = $3', [
          requestId,
          lucie,
          state,
        ]),
      (mails) => mails.length === 1,
      { withinMs: 15_000 },
    );
  await untilMailIs('QUEUED');
  await become('AUDITOR');
  await untilMailIs('CANCELLED');
  assert.deepEqual(await inbox.all(lucie, 'CA$152.02'), []);
  await become('APPROVER');
  assert.match((await inbox.look(await inbox.token(lucie, 'CA$152.02'))).text, /^Priya Nair asks you for CA\$152\.02/);
});

test('orders of one file with different notes are asked about by an email for each note', async () => {
  const gate = await openGate(service);
  const headers = { 'X-Customer-Request-id': 'notes.csv' };
  for (const [amount, note] of [
    [152.1, 'Night shift.'],
    [152.2, 'Night shift.'],
    [152.4, 'Fair.'],
  ] as const)
    await gate.send(gate.users.priya, orderOf(amount, { note }), { headers });
  assert.match((await inbox.mail(lucie, 'CA$304.30')).text ?? '', /Night shift\./);
  assert.match((await inbox.mail(lucie, 'CA$152.40')).text ?? '', /Fair\./);
});

test('a link of the first level says that the person is asked at the second', async () => {
  const gate = await openGate(service);
  const level = { approvers: [{ is: 'ROLE' as const, role: 'APPROVER' as const }] };
  await gate.changeRule({ levels: [level, level] });
  await gate.send(gate.users.priya, orderOf(152.03));
  const former = await inbox.token(elena, 'CA$152.03');
  await inbox.decide(await inbox.token(lucie, 'CA$152.03'), 'APPROVED');
  const { text, page } = await inbox.look(former);
  assert.match(text, /^This link no longer works The request waits for your decision\./);
  assert.ok(page.includes(`/w/${gate.workspace.id}/approvals`));
});

test('an approver who has become a recipient reads neither the decision nor its comment', async () => {
  const gate = await openGate(service);
  const recipient = { email: 'moved@example.com' };
  const orderItems = [aGift({ amount: 152.04, recipient })];
  const requestId = await gate.send(gate.users.priya, { orderItems });
  const token = await inbox.token(lucie, 'CA$152.04');
  await gate.decided(gate.users.elena, requestId, 'DECLINED', 'Not this year.');
  assert.match((await inbox.look(token)).text, /Not this year\./);
  await gate.workspace.change(gate.ids.lucie, recipient);
  const { status, text, page } = await inbox.look(token);
  assert.deepEqual([status, /Elena|Not this year|152\.04/.test(page)], [403, false]);
  assert.match(text, /^You are no longer asked/);
});

test('orders that wait are read again only after a change of the workspace or its accounts', async () => {
  const gate = await openGate(service);
  await gate.send(gate.users.priya, orderOf(152.05));
  await inbox.mail(lucie, 'CA$152.05');
  const seen = new Map<number, string>();
  let reads = 0;
  const counting: Database = Object.assign(Object.create(database), {
    query: (sql: string, values?: unknown[]) => {
      if (sql.includes('found_parties')) reads++;
      return database.query(sql, values);
    },
    transaction: database.transaction.bind(database),
  });
  const readsOfRun = async () => {
    reads = 0;
    await emailNewApprovers(counting, seen);
    return reads;
  };
  assert.ok((await readsOfRun()) > 0);
  const none = (count: number) => count === 0;
  await eventually(readsOfRun, none);
  await database.query(`update users set email = 'elena.new@example.com' where id = $1`, [gate.users.elena.user.id]);
  await eventually(readsOfRun, (count) => count > 0);
  await inbox.mail('elena.new@example.com', 'CA$152.05');
  await eventually(readsOfRun, none);
});
