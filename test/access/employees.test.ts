import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseNetworks } from '../../src/ground/config/texts.ts';
import {
  addPerson,
  askForLink,
  asPeopleTeam,
  letIn,
  mailedLink,
  meOf,
  readsPreferences,
  signInByEmail,
} from '../support/employees.ts';
import { eventually } from '../support/eventually.ts';
import { startMailServer } from '../support/mail-server.ts';
import { startService } from '../support/service.ts';
import { addUser, signIn, useLink } from '../support/sign-in.ts';
import { refusal } from '../support/workspace.ts';

const mails = await startMailServer();
const service = await startService({
  mailServer: mails.url,
  mailFrom: 'gifts@example.com',
  trustedProxies: parseNetworks('127.0.0.0/8', ''),
});
const { database, workspaceId } = service;
const other = await service.addWorkspace({ name: 'Borealis' });
await letIn(service, { access: 'ALL' });

const uses = async (link: string) => (await useLink(service.url, link)).status;
const ends = (ask: () => Promise<number>, status = 401) => eventually(ask, (one) => one === status);

test('everyone in the directory signs in by an emailed link, without a user, and each link works once', async () => {
  const id = await addPerson(service, { email: 'emeka@example.com', firstName: 'Emeka', lastName: 'Obi' });
  const link = await mailedLink(service, mails, 'Emeka@Example.com'.toLowerCase());
  assert.equal(await uses(link), 204);
  assert.equal(await uses(link), 401);
  const emeka = await signInByEmail(service, mails, 'emeka@example.com');
  const { user, session, workspaces } = await meOf(emeka);
  assert.deepEqual([user, session?.way], [null, 'LINK']);
  const [own, ...others] = workspaces;
  assert.deepEqual(others, []);
  assert.deepEqual(
    [own?.id, own?.role, own?.memberId, own?.senderName, own?.hasLeft, own?.provesEmail],
    [workspaceId, 'EMPLOYEE', id, 'Emeka Obi', false, true],
  );
  assert.deepEqual(await database.query('select from users where email = $1', ['emeka@example.com']), []);
  refusal(await emeka.call('/api/v1/members'), 403);
  refusal(await emeka.call('/api/v1/members', { workspace: other }), 403);
  refusal(await emeka.call('/api/v1/me/account'), 403);
  assert.equal((await emeka.call('/session', { method: 'DELETE' })).status, 204);
  await ends(() => readsPreferences(emeka));
  const audited = await database.query<{ action: string; actor: string }>(
    'select action, actor from audit_log where workspace_id = $1 and subject_id = $2 order by id',
    [workspaceId, String(id)],
  );
  assert.deepEqual(audited.at(-1), { action: 'member.signed_out', actor: 'MEMBER' });
});

test('a stranger, a person whose workspace lets no one in, and an employee get the same response', async () => {
  await addPerson(service, { email: 'known@example.com' });
  await addPerson(service, { email: 'elsewhere@example.com' }, other);
  const said = [];
  for (const email of ['known@example.com', 'stranger@example.com', 'elsewhere@example.com', 'no address']) {
    const answer = await askForLink(service, email);
    said.push([answer.status, await answer.text(), [...answer.headers.keys()].sort().join()]);
  }
  assert.equal(said[0]?.[0], 202);
  for (const one of said) assert.deepEqual(one, said[0]);
  await eventually(async () => mails.to('known@example.com').at(-1));
  assert.deepEqual([mails.to('stranger@example.com'), mails.to('elsewhere@example.com')], [[], []]);
});

test('an address in letters that PostgreSQL lower-cases to ASCII is another address', async () => {
  await addPerson(service, { email: 'kim@example.com' });
  assert.equal((await askForLink(service, '\u212aim@example.com')).status, 202);
  await mailedLink(service, mails, 'kim@example.com');
  assert.equal(mails.to('kim@example.com').length, 1);
});

test('a link opens nothing for a member whose address has changed, also if another member has it now', async () => {
  const first = await addPerson(service, { email: 'shared@example.com' });
  const second = await addPerson(service, { email: 'second@example.com' });
  const link = await mailedLink(service, mails, 'shared@example.com');
  const session = await signInByEmail(service, mails, 'second@example.com');
  const beforeChange = await mailedLink(service, mails, 'second@example.com');
  assert.equal(await readsPreferences(session), 200);
  await asPeopleTeam(service, `PATCH /members/${first}`, { email: 'moved@example.com' });
  await asPeopleTeam(service, `PATCH /members/${second}`, { email: 'shared@example.com' });
  assert.deepEqual([await uses(link), await uses(beforeChange)], [401, 401]);
  await ends(() => readsPreferences(session));
  const now = await meOf(await signInByEmail(service, mails, 'shared@example.com'));
  assert.equal(now.workspaces[0]?.memberId, second);
});

test('a merged record has no session; its person signs in as the record that remains', async () => {
  const from = await addPerson(service, { email: 'merged@example.com' });
  const into = await addPerson(service, { employeeNumber: 'remains-1' });
  const session = await signInByEmail(service, mails, 'merged@example.com');
  const link = await mailedLink(service, mails, 'merged@example.com');
  const merged = await asPeopleTeam(service, `POST /members/${from}/merge`, { into });
  assert.equal(merged.status, 200);
  await ends(() => readsPreferences(session));
  assert.equal(await uses(link), 401);
  const again = await meOf(await signInByEmail(service, mails, 'merged@example.com'));
  assert.equal(again.workspaces[0]?.memberId, into);
});

test('an audience lets in those to whom it applies, and ends the sessions of the others', async () => {
  const id = await addPerson(service, { email: 'dispatch@example.com', department: 'Dispatch' });
  await addPerson(service, { email: 'office@example.com', department: 'Office' });
  const office = await signInByEmail(service, mails, 'office@example.com');
  const audience = { include: [{ department: 'dispatch' }], exclude: [] };
  refusal(await asPeopleTeam(service, 'PATCH /settings/employees', { access: 'AUDIENCE' }), 400);
  const unknownTeam = { include: [{ teamId: 999_999 }], exclude: [] };
  refusal(await asPeopleTeam(service, 'PATCH /settings/employees', { audience: unknownTeam }), 400);
  await letIn(service, { access: 'AUDIENCE', audience });
  try {
    const dispatch = await signInByEmail(service, mails, 'dispatch@example.com');
    assert.equal(await readsPreferences(dispatch), 200);
    await ends(() => readsPreferences(office));
    const before = mails.to('office@example.com').length;
    await askForLink(service, 'office@example.com');
    await asPeopleTeam(service, `PATCH /members/${id}`, { department: 'Office' });
    await ends(() => readsPreferences(dispatch));
    assert.equal(mails.to('office@example.com').length, before);
  } finally {
    await letIn(service, { access: 'ALL' });
  }
});

test('access that is turned off ends all sessions, and turning it on again opens none of them', async () => {
  await addPerson(service, { email: 'early@example.com' });
  const early = await signInByEmail(service, mails, 'early@example.com');
  const link = await mailedLink(service, mails, 'early@example.com');
  await letIn(service, { access: 'OFF' });
  await ends(() => readsPreferences(early));
  assert.equal(await uses(link), 401);
  await letIn(service, { access: 'ALL' });
  assert.equal(await readsPreferences(early), 401);
  assert.equal(await readsPreferences(await signInByEmail(service, mails, 'early@example.com')), 200);
});

test('people who have left come in for as long as the workspace allows, to what they have and nothing else', async () => {
  const id = await addPerson(service, { email: 'gone@example.com' });
  const before = await signInByEmail(service, mails, 'gone@example.com');
  const link = await mailedLink(service, mails, 'gone@example.com');
  await asPeopleTeam(service, `POST /members/${id}/leave`, {});
  await ends(() => readsPreferences(before));
  assert.equal(await uses(link), 401, 'no days are set');
  await letIn(service, { leaverDays: 30 });
  const gone = await signInByEmail(service, mails, 'gone@example.com');
  const [own] = (await meOf(gone)).workspaces;
  assert.deepEqual([own?.hasLeft, own?.scopes], [true, ['me:read', 'me:write']]);
  assert.equal((await gone.call('/api/v1/me/gifts')).status, 200);
  refusal(await gone.call('/api/v1/me/preferences'), 403);
  const change = { method: 'PATCH', body: { digest: true } };
  refusal(await gone.call('/api/v1/me/preferences', change), 403);
  assert.equal(await readsPreferences(before), 401, 'the session of the employee stays ended');
  await database.query(
    `update members set left_at = left_at - interval '31 days' where workspace_id = $1 and id = $2`,
    [workspaceId, id],
  );
  const isOut = async () => (await gone.call('/api/v1/me')).status;
  await ends(isOut);
  await asPeopleTeam(service, `POST /members/${id}/return`);
  assert.equal(await isOut(), 401, 'a session of a person who had left is none of an employee');
});

test('a user is an employee elsewhere, if the sign-in has shown that the address is theirs', async () => {
  const email = 'both@example.com';
  const id = await addPerson(service, { email });
  const { link: handedOver } = await addUser(service, { email, role: 'AUDITOR', workspace: other });
  const byHand = await useLink(service.url, handedOver);
  const rolesOf = async (cookie: string) => {
    const { workspaces } = (
      await service.call<Awaited<ReturnType<typeof meOf>>>('/api/v1/me', {
        token: null,
        headers: { Cookie: cookie },
      })
    ).body;
    return workspaces.map((one) => [one.id, one.role]);
  };
  const cookie = byHand.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  assert.deepEqual(await rolesOf(cookie), [[other, 'AUDITOR']], 'the owner who hands over a link has not their gifts');
  const both = await signInByEmail(service, mails, email);
  assert.deepEqual(await rolesOf(both.cookie), [
    [other, 'AUDITOR'],
    [workspaceId, 'EMPLOYEE'],
  ]);
  assert.equal(await readsPreferences(both), 200);
  assert.equal((await both.call('/api/v1/audit', { workspace: other })).status, 200);
  await asPeopleTeam(service, `POST /members/${id}/leave`, {});
  await ends(() => readsPreferences(both), 403);
  assert.equal((await both.call('/api/v1/audit', { workspace: other })).status, 200, 'their role elsewhere stays');
});

test('a user whom an owner lets act as another person does not read what that person has', async () => {
  await addPerson(service, { email: 'victim@example.com' });
  const curious = await signIn(service, { email: 'curious@example.com', member: 'victim@example.com' });
  refusal(await curious.call('/api/v1/me/preferences'), 403);
  await addPerson(service, { email: 'honest@example.com' });
  const honest = await signIn(service, { email: 'honest@example.com', role: 'MANAGER' });
  assert.equal((await honest.call('/api/v1/me/preferences')).status, 200);
});

test('an employee of two workspaces switches between them with one session', async () => {
  await letIn(service, { access: 'ALL' }, other);
  const ids = [
    await addPerson(service, { email: 'two@example.com' }),
    await addPerson(service, { email: 'two@example.com' }, other),
  ];
  const two = await signInByEmail(service, mails, 'two@example.com');
  const { workspaces } = await meOf(two);
  assert.deepEqual(
    workspaces.map(({ id, memberId }) => [id, memberId]),
    [
      [workspaceId, ids[0]],
      [other, ids[1]],
    ],
  );
  for (const workspace of [workspaceId, other])
    assert.equal((await two.call('/api/v1/me/preferences', { workspace })).status, 200);
  await letIn(service, { access: 'OFF' }, other);
  await ends(async () => (await two.call('/api/v1/me/preferences', { workspace: other })).status, 403);
  assert.equal(await readsPreferences(two), 200);
});

test('what employees cost does not grow with their number: a person who has not signed in is no row but their own', async () => {
  const tables = ['users', 'sessions', 'session_members', 'employee_links', 'kiosk_codes', 'member_preferences'];
  const count = () => Promise.all(tables.map((table) => database.query(`select count(*)::int as rows from ${table}`)));
  const before = await count();
  await letIn(service, { access: 'OFF' });
  await letIn(service, { access: 'ALL' });
  for (let nth = 0; nth < 5; nth++) await addPerson(service, { employeeNumber: `silent-${nth}` });
  assert.deepEqual(await count(), before);
});
