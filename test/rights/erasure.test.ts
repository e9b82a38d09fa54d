import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addUser, giveRole } from '../../src/company/access/users.ts';
import { addPerson, changePerson } from '../../src/company/directory/change.ts';
import { atTheCommandLine, theService } from '../../src/company/workspaces/audit.ts';
import { inWorkspace } from '../../src/company/workspaces/lock.ts';
import { moveGifts } from '../../src/giving/gifts/moves.ts';
import type { Actor } from '../../src/ground/contract/actor.ts';
import { confirmErasure, readErasure, requestErasure, stopErasure } from '../../src/insight/rights/erasures.ts';
import { previewErasure } from '../../src/insight/rights/preview.ts';
import { runErasure } from '../../src/insight/rights/run.ts';
import { checkServices } from '../support/books.ts';
import { checkLedger, setBudget } from '../support/budgets.ts';
import { eventually } from '../support/eventually.ts';
import { giftsOf } from '../support/gifts.ts';
import { aGift } from '../support/orders.ts';
import { giftwire } from '../support/process.ts';
import { claim, offerSpendingOption, readGift, spend } from '../support/redemptions.ts';
import { startService } from '../support/service.ts';
import { findTraces, keptTables } from '../support/traces.ts';
import { aShoutout } from '../support/workspace.ts';

const service = await startService({ role: 'api', mailServer: 'outbox', tokenKey: 'k'.repeat(32) });
const { database } = service;
await startService({ role: 'worker', mailServer: 'outbox', tokenKey: 'k'.repeat(32), database });

const tomas = { email: 'tomas.rivera@example.com', employeeNumber: 'TR-70433', firstName: 'Tomás', lastName: 'Rivera' };
const traces = [
  ...['tomas.rivera', 'old.tomas@example.com', 'TR-70433', 'Tomás', 'Tom Rivera', '+1 416 555 0100', 'Rivera'],
  ...[
    'Splendid migration',
    'You are too kind',
    'Grand shoutout received',
    'Grand shoutout written',
    'A tent please',
    'Gift from Tomás',
  ],
];

/** A company in which Tomás has received, written and done all kinds of things. */
async function openCompany() {
  const gifts = await giftsOf(service);
  const { workspace } = gifts;
  const [ada = 0] = await workspace.addPeople([{ email: 'ada@example.com', firstName: 'Ada', lastName: 'Okafor' }]);
  const change = (id: number, fields: object) =>
    inWorkspace(database, workspace.id, (tx) => changePerson(tx, atTheCommandLine, workspace.id, id, fields));
  const id = await inWorkspace(database, workspace.id, (tx) =>
    addPerson(tx, atTheCommandLine, workspace.id, { ...tomas, email: 'old.tomas@example.com', department: 'Research' }),
  );
  await change(id, { email: tomas.email, phone: '+1 416 555 0100', preferredName: 'Tom Rivera', birthday: '03-31' });
  await offerSpendingOption(database, workspace.id, 'hand', { kind: 'HAND', name: 'Donation' });
  const [giftId = 0, other = 0] = await gifts
    .issue({ email: tomas.email }, { email: 'ada@example.com' })
    .then((ids) => ids);
  await database.query(`update certificates set message = 'Splendid migration, Tomás Rivera' where id = $1`, [giftId]);
  await claim(database, workspace.id, giftId);
  const gift = await readGift(database, workspace.id, giftId);
  await inWorkspace(database, workspace.id, (tx) =>
    moveGifts(tx, workspace.id, [{ type: 'THANKED', gift, detail: { thanks: 'You are too kind' } }]),
  );
  await spend(database, workspace.id, giftId, 'payroll');
  const byTomas = await service.addToken({ workspaces: [workspace.id], actsAs: tomas.email, name: null });
  const asTomas = { token: byTomas.token };
  const sent = await workspace.call<{ requestId: string }>('/api/v1/orders', {
    method: 'POST',
    ...asTomas,
    headers: { 'Idempotency-Key': 'sent-1' },
    body: {
      currency: 'CAD',
      orderItems: [aGift({ message: 'Gift from Tomás', recipient: { email: 'ada@example.com' } })],
    },
  });
  assert.equal(sent.status, 201);
  await workspace.outcome(sent.body.requestId);
  const shoutout = aShoutout({ recipient: { email: tomas.email }, message: 'Grand shoutout received' });
  await workspace.given(shoutout, { headers: { 'Idempotency-Key': 'shoutout-1' } });
  await workspace.given(aShoutout({ message: 'Grand shoutout written' }), asTomas);
  await workspace.given(aShoutout({ message: 'Ask Tomás Rivera (tr-70433) about the tent' }));
  const [twin = 0] = await workspace.addPeople([
    { email: 'tomas.rivera2@example.com', firstName: 'Tomás', lastName: 'Rivera' },
  ]);
  await workspace.merge(twin, id);
  const user = await database.transaction((tx) => addUser(tx, { email: tomas.email, name: 'Tomás Rivera' }));
  await database.transaction((tx) =>
    giveRole(tx, theService, user, { workspaceId: workspace.id, role: 'PEOPLE_TEAM', member: `id:${id}` }),
  );
  const actor: Actor = { is: 'USER', id: user.id, name: user.name };
  await inWorkspace(database, workspace.id, (tx) => changePerson(tx, actor, workspace.id, ada, { location: 'Lagos' }));
  const { code, stderr } = await giftwire(['payroll', 'export', '--workspace', String(workspace.id)], {
    DATABASE_URL: database.url,
    GIFTWIRE_TOKEN_KEY: 'k'.repeat(32),
  });
  assert.equal(code, 0, stderr);
  return { ...gifts, id, ada, other, sent, asTomas, shoutout };
}

/** Erases who is due. The worker may hold the erasure meanwhile, so this waits until it is done or stopped. */
async function finish(workspaceId: number, id: number): Promise<string> {
  const erasure = await eventually(
    async () => {
      while (await runErasure(database));
      return readErasure(database, workspaceId, id);
    },
    (one) => one?.state === 'DONE' || one?.state === 'STOPPED',
  );
  return erasure?.state ?? '';
}

const ask = (workspaceId: number, id: number) =>
  database.transaction((tx) => requestErasure(tx, atTheCommandLine, workspaceId, id));
const makeDue = (workspaceId: number) =>
  database.query(`update erasures set due_at = now() where workspace_id = $1 and state = 'WAITING'`, [workspaceId]);

test('afterwards nothing in the database identifies the person, except what tax law keeps', async () => {
  const { workspace, id, ada, sent, asTomas, shoutout } = await openCompany();
  const preview = await previewErasure(database, workspace.id, id);
  assert.deepEqual(
    preview.removed.filter(({ count }) => count === 0),
    [],
    'every group has records',
  );
  await workspace.call(`/api/v1/members/${id}/leave`, { method: 'POST' });
  const before = await workspace.read('/api/v1/reports/coverage?by=department');
  await ask(workspace.id, id);
  await makeDue(workspace.id);
  assert.equal(await finish(workspace.id, id), 'DONE');
  const found = (await findTraces(database, traces)).filter(({ table }) => !keptTables.includes(table));
  assert.deepEqual(found, []);
  assert.equal((await findTraces(database, ['Ada'])).length > 0, true, 'other people stay');
  const [person] = await database.query<Record<string, unknown>>('select * from members where id = $1', [id]);
  assert.equal(person?.department, 'Research');
  assert.deepEqual(await workspace.read('/api/v1/reports/coverage?by=department'), before);
  const again = { method: 'POST', headers: { 'Idempotency-Key': 'shoutout-1' }, body: shoutout };
  assert.equal((await workspace.call('/api/v1/shoutouts', again)).status, 201);
  assert.equal(
    (await workspace.call('/api/v1/shoutouts', { ...again, body: { ...shoutout, message: 'Other' } })).status,
    422,
  );
  assert.equal((await workspace.call('/api/v1/members', asTomas)).status, 401);
  assert.equal((await workspace.status(sent.body.requestId)).requestStatus, 'COMPLETED');
  const events = await database.query<{ data: unknown }>(
    `select data from events where workspace_id = $1 and type = 'member.erased'`,
    [workspace.id],
  );
  assert.deepEqual(
    events.map(({ data }) => data),
    [{ id }],
  );
  const ofAda = await workspace.read<{ email: string }>(`/api/v1/members/${ada}`);
  assert.equal(ofAda.email, 'ada@example.com');
  await checkServices(service);
});

test('an erased person does not come back through an old file or a repeated sync', async () => {
  const { workspace, id } = await openCompany();
  await ask(workspace.id, id);
  await makeDue(workspace.id);
  await finish(workspace.id, id);
  const file = `email,employeeNumber,firstName,lastName,hireDate\n${tomas.email},,Tomás,Rivera,2020-01-06\nold.tomas@example.com,,T,R,\nx@example.com,TR-70433,T,R,\n`;
  const send = (body: string) =>
    workspace.call<{ added: number; rejected: number }>('/api/v1/members/import', {
      method: 'POST',
      body,
      headers: { 'Content-Type': 'text/csv' },
    });
  const old = await send(file);
  assert.deepEqual([old.body.added, old.body.rejected], [0, 3], JSON.stringify(old.body));
  const { token } = await service.addToken({ workspaces: [workspace.id], name: 'scim' });
  const user = {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
    userName: tomas.email,
    name: { familyName: 'Rivera' },
  };
  const scim = {
    method: 'POST',
    token,
    workspace: workspace.id,
    headers: { 'Content-Type': 'application/scim+json' },
    body: user,
  };
  assert.equal((await service.call('/scim/v2/Users', scim)).status, 409);
  const hired = await send(`email,firstName,hireDate\n${tomas.email},Tomás,2099-01-06\n`);
  assert.equal(hired.body.added, 1, JSON.stringify(hired.body));
  const { members } = await workspace.members(`?search=${tomas.email}`);
  assert.deepEqual(
    members.map((one) => one.id === id),
    [false],
  );
});

test('two people confirm, or a day passes in which it can be stopped', async () => {
  const { workspace, id } = await openCompany();
  const asked = await ask(workspace.id, id);
  assert.equal(asked.state, 'WAITING');
  assert.equal(await runErasure(database), false);
  await database.transaction((tx) => stopErasure(tx, atTheCommandLine, workspace.id, id));
  await database.query(`update workspaces set erasure_confirmation = 'TWO_PEOPLE' where id = $1`, [workspace.id]);
  assert.equal((await ask(workspace.id, id)).state, 'REQUESTED');
  const confirm = (actor: Actor) => database.transaction((tx) => confirmErasure(tx, actor, workspace.id, id));
  await assert.rejects(confirm(atTheCommandLine), /another person has to confirm it/);
  await assert.rejects(confirm({ is: 'TOKEN', id: 1, name: 'HR system' }), /A token cannot/);
  assert.equal((await confirm({ is: 'USER', id: 1, name: 'Ada' })).state, 'WAITING');
  assert.equal(await finish(workspace.id, id), 'DONE');
});

test('what is open has to end first', async () => {
  const { workspace, issue } = await openCompany();
  const [giftId = 0] = await issue({ email: 'nia@example.com' });
  const [nia] = await database.query<{ id: number }>(
    `select id from members where email_key = 'nia@example.com' and workspace_id = $1`,
    [workspace.id],
  );
  const id = nia?.id as number;
  await assert.rejects(ask(workspace.id, id), /gifts that are not spent/);
  await claim(database, workspace.id, giftId);
  await spend(database, workspace.id, giftId, 'payroll');
  await assert.rejects(ask(workspace.id, id), /no payroll export/);
});

test('a gift that comes after the erasure was asked for stops it, and the audit log says why', async () => {
  const { workspace, id, issue } = await openCompany();
  await ask(workspace.id, id);
  await issue({ email: tomas.email });
  await makeDue(workspace.id);
  assert.equal(await finish(workspace.id, id), 'STOPPED');
  const { email } = await workspace.read<{ email: string }>(`/api/v1/members/${id}`);
  assert.equal(email, tomas.email);
  const { obstacles } = await previewErasure(database, workspace.id, id);
  assert.deepEqual(
    obstacles.map(({ kind, count }) => [kind, count]),
    [['OPEN_GIFTS', 1]],
  );
  const [stopped] = await database.query<{ actor: string; reason: string }>(
    `select actor, detail ->> 'reason' as reason from audit_log where workspace_id = $1 and action = 'member.erasure_stopped'`,
    [workspace.id],
  );
  assert.equal(stopped?.actor, 'SYSTEM');
  assert.match(stopped?.reason ?? '', /gifts that are not spent/);
});

test('a note of the ledger that names the person is listed as kept, and stays, so that the books still agree', async () => {
  const { workspace, id } = await openCompany();
  const notes = async () =>
    (await previewErasure(database, workspace.id, id)).kept.find(({ kind }) => kind === 'LEDGER_NOTES');
  await setBudget(database, workspace.id, { currency: 'USD', note: 'For the summer' });
  assert.equal(await notes(), undefined);
  await setBudget(database, workspace.id, { currency: 'EUR', note: 'For Tomás Rivera’s team' });
  assert.deepEqual(await notes(), { kind: 'LEDGER_NOTES', count: 1, until: null });
  await ask(workspace.id, id);
  await makeDue(workspace.id);
  assert.equal(await finish(workspace.id, id), 'DONE');
  const [entry] = await database.query<{ note: string }>(
    `select detail ->> 'note' as note from ledger_entries where workspace_id = $1 and detail ->> 'note' like 'For Tom%'`,
    [workspace.id],
  );
  assert.equal(entry?.note, 'For Tomás Rivera’s team');
  await checkLedger(database);
});

test('names are found in more texts than one batch reads or changes', async () => {
  const { workspace, id, issue } = await openCompany();
  await issue(...Array.from({ length: 150 }, () => ({ email: 'ada@example.com' })));
  // Texts that cannot be compressed: all of them are more than a batch reads.
  await database.query(
    `update certificates c
        set message = (select string_agg(md5(c.id || '.' || nth), ' ') from generate_series(1, 100) nth) || ' like TOMÁS RIVERA'
      where workspace_id = $1 and message not like '%Tomás%'`,
    [workspace.id],
  );
  await ask(workspace.id, id);
  await makeDue(workspace.id);
  assert.equal(await finish(workspace.id, id), 'DONE');
  const [texts] = await database.query<{ count: number; ends: number }>(
    `select count(*)::int as count, count(*) filter (where message like '% like …')::int as ends from certificates where workspace_id = $1`,
    [workspace.id],
  );
  assert.deepEqual(texts, { count: 153, ends: 151 });
});
