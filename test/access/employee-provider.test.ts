import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addPerson, asPeopleTeam, employeeWith, letIn, meOf, readsPreferences } from '../support/employees.ts';
import { eventually } from '../support/eventually.ts';
import { createVisitor, startProvider } from '../support/oidc.ts';
import { startService } from '../support/service.ts';
import { addUser } from '../support/sign-in.ts';

const provider = await startProvider({ subject: 'mei-1', email: 'mei@example.com', isVerified: true });
const { issuer, clientId, clientSecret } = provider;
const service = await startService({ oidc: { issuer, clientId, clientSecret, name: 'Example Login' } });
provider.knows(service.url);
const { database, workspaceId } = service;
await letIn(service, { access: 'ALL' });

async function enter(person: typeof provider.person, to = '/my') {
  provider.person = person;
  const visitor = createVisitor();
  const isPage = ({ pathname }: URL) => !pathname.startsWith('/session/') && !/interaction|auth/.test(pathname);
  const page = await visitor.follow(`${service.url}/session/oidc?to=${encodeURIComponent(to)}`, isPage);
  const cookie = visitor.cookieAt(service.url, 'giftwire');
  return { page, browser: cookie === null ? null : employeeWith(service, `giftwire=${cookie}`) };
}

const mei = { subject: 'mei-1', email: 'mei@example.com', isVerified: true };

test('an employee comes in by the address that the provider has verified, and ends where employees are', async () => {
  const id = await addPerson(service, { email: 'mei@example.com', firstName: 'Mei' });
  const { page, browser } = await enter(mei, '/w/1/gifts');
  assert.equal(page.pathname, '/my');
  assert.ok(browser);
  const { session, workspaces } = await meOf(browser);
  const [own] = workspaces;
  assert.deepEqual([session?.way, own?.memberId, own?.provesEmail], ['OIDC', id, true]);
});

test('an address that is not verified, a stranger and a person who has left come in nowhere', async () => {
  const id = await addPerson(service, { email: 'left@example.com' });
  await asPeopleTeam(service, `POST /members/${id}/leave`, {});
  await letIn(service, { leaverDays: 30 });
  for (const person of [
    { ...mei, isVerified: false },
    { subject: 'stranger-1', email: 'stranger@example.com', isVerified: true },
    { subject: 'left-1', email: 'left@example.com', isVerified: true },
  ]) {
    const { page, browser } = await enter(person);
    assert.deepEqual([page.pathname, page.search, browser], ['/my/sign-in', '?fault=forbidden', null]);
  }
});

test('where the workspace wants it, the subject is the externalId of a member, and proves no address', async () => {
  const id = await addPerson(service, { email: 'sam@example.com' });
  const name = async (externalId: string) =>
    database.query('update members set external_id = $3 where workspace_id = $1 and id = $2', [
      workspaceId,
      id,
      externalId,
    ]);
  await name('00u-sam');
  const sam = { subject: '00u-sam', email: 'sam@elsewhere.example', isVerified: false };
  assert.equal((await enter(sam)).browser, null);
  await letIn(service, { matchesSubject: true });
  const { browser } = await enter(sam);
  assert.ok(browser);
  const [own] = (await meOf(browser)).workspaces;
  assert.deepEqual([own?.memberId, own?.provesEmail], [id, false]);
  await name('00u-another');
  await eventually(
    () => readsPreferences(browser),
    (status) => status === 401,
  );
});

test('a user who signs in through the provider keeps their account, and is an employee of other workspaces', async () => {
  const elsewhere = await service.addWorkspace({ name: 'Elsewhere' });
  const both = { subject: 'both-1', email: 'both@example.com', isVerified: true };
  await addPerson(service, { email: both.email });
  await addUser(service, { email: both.email, role: 'APPROVER', workspace: elsewhere });
  const { page, browser } = await enter(both, '/w/1/approvals');
  assert.equal(page.pathname, '/w/1/approvals');
  assert.ok(browser);
  const { user, workspaces } = await meOf(browser);
  assert.equal(user?.email, both.email);
  assert.deepEqual(
    workspaces.map(({ id, role }) => [id, role]),
    [
      [elsewhere, 'APPROVER'],
      [workspaceId, 'EMPLOYEE'],
    ],
  );
});
