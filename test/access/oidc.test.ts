import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Me, MyAccount } from '../../src/ground/contract/me.ts';
import type { UserWithLink } from '../../src/ground/contract/user.ts';
import { eventually } from '../support/eventually.ts';
import { createVisitor, startProvider } from '../support/oidc.ts';
import { connectScim } from '../support/scim.ts';
import { startService } from '../support/service.ts';
import { addUser, cookieFrom, signIn, useLink } from '../support/sign-in.ts';

const provider = await startProvider({ subject: 'ada-1', email: 'ada@example.com', isVerified: true });
const { issuer, clientId, clientSecret } = provider;
const service = await startService({ oidc: { issuer, clientId, clientSecret, name: 'Example Login' } });
provider.knows(service.url);

type Visitor = ReturnType<typeof createVisitor>;
const isPage = ({ pathname }: URL) => pathname === '/sign-in' || pathname.startsWith('/w/') || pathname === '/';
const enter = (visitor: Visitor, query = '') => visitor.follow(`${service.url}/session/oidc${query}`, isPage);
const whoIs = (visitor: Visitor) =>
  service.call<Me>('/api/v1/me', {
    token: null,
    headers: { Cookie: `giftwire=${visitor.cookieAt(service.url, 'giftwire')}` },
  });

const workspacesOf = async (visitor: Visitor) => (await whoIs(visitor)).body.workspaces.map(({ id }) => id);

test('the sign-in page names the provider', async () => {
  assert.deepEqual((await service.call('/session/ways', { token: null })).body, {
    oidc: { name: 'Example Login' },
    email: false,
    kiosk: false,
  });
});

test('somebody who was not invited is sent back to the sign-in page', async () => {
  const visitor = createVisitor();
  const { pathname, search } = await enter(visitor);
  assert.deepEqual([pathname, search], ['/sign-in', '?fault=forbidden']);
  assert.equal(visitor.cookieAt(service.url, 'giftwire'), null);
});

test('somebody who was invited comes in by a verified address, and from then on by the subject alone', async () => {
  await addUser(service, { email: 'ada@example.com', name: 'Ada Okafor' });
  provider.person = { subject: 'ada-1', email: 'ada@example.com', isVerified: false };
  assert.equal(
    (await enter(createVisitor())).search,
    '?fault=forbidden',
    'an address that nobody has verified counts nothing',
  );

  provider.person = { subject: 'ada-1', email: 'ada@example.com', isVerified: true };
  const ada = createVisitor();
  assert.equal((await enter(ada, '?to=/w/1/gifts')).pathname, '/w/1/gifts');
  assert.equal((await whoIs(ada)).body.user?.name, 'Ada Okafor');

  const elsewhere = await service.addWorkspace();
  await addUser(service, { email: 'ada.new@example.com', name: 'Another Ada', workspace: elsewhere });
  provider.person = { subject: 'ada-1', email: 'ada.new@example.com', isVerified: true };
  const later = createVisitor();
  await enter(later);
  assert.equal((await whoIs(later)).body.user?.email, 'ada@example.com');
  assert.deepEqual(
    await workspacesOf(later),
    [service.workspaceId],
    'a new address of hers opens no account of that address',
  );

  provider.person = { subject: 'somebody-else', email: 'ada@example.com', isVerified: true };
  assert.equal((await enter(createVisitor())).search, '?fault=forbidden', 'her former address opens nothing');
});

test('the way back needs what the way there has kept, and leads to no other site', async () => {
  provider.person = { subject: 'ada-1', email: 'ada@example.com', isVerified: true };
  const victim = createVisitor();
  const callback = await createVisitor().follow(`${service.url}/session/oidc`, ({ pathname }) =>
    pathname.endsWith('/callback'),
  );
  assert.equal((await victim.follow(callback.href, isPage)).search, '?fault=unauthenticated');
  assert.equal(victim.cookieAt(service.url, 'giftwire'), null);
  for (const to of ['//evil.example', 'https://evil.example', '/\\evil.example'])
    assert.equal((await enter(createVisitor(), `?to=${encodeURIComponent(to)}`)).href, `${service.url}/`);
});

test('somebody who is signed in connects their account, and one account of the provider is one person', async () => {
  provider.person = { subject: 'grace-9', email: 'g.hopper@elsewhere.example', isVerified: false };
  const grace = await signIn(service, { email: 'grace@example.com', name: 'Grace' });
  const browser = createVisitor();
  browser.setCookie(service.url, 'giftwire', grace.cookie.split('=')[1] as string);
  assert.equal((await enter(browser, '?connect&to=/w/1/account')).pathname, '/w/1/account');
  assert.equal((await grace.call<MyAccount>('/api/v1/me/account')).body.oidcIssuer, issuer);
  const later = createVisitor();
  await enter(later);
  assert.equal((await whoIs(later)).body.user?.email, 'grace@example.com');

  const max = await signIn(service, { email: 'max@example.com', name: 'Max' });
  const other = createVisitor();
  other.setCookie(service.url, 'giftwire', max.cookie.split('=')[1] as string);
  assert.equal((await enter(other, '?connect')).search, '?fault=conflict');
});

test('a user who signs in with an address that the provider has verified is linked to the person who has it', async () => {
  const email = 'mara@example.com';
  const { user } = await addUser(service, { email, name: 'Mara', role: 'AUDITOR' });
  const scim = await connectScim(service, service.workspaceId);
  const { id } = await scim.addUser({ userName: email });
  const memberAfter = async (person: typeof provider.person) => {
    provider.person = person;
    const visitor = createVisitor();
    await enter(visitor);
    return (await whoIs(visitor)).body.workspaces[0]?.memberId;
  };
  await scim.patch(`/Users/${id}`, [{ op: 'replace', path: 'active', value: false }]);
  const own = await memberAfter({ subject: 'mara-1', email, isVerified: true });
  assert.ok(own !== undefined && own !== Number(id), 'a person who has left is not linked');
  await scim.patch(`/Users/${id}`, [{ op: 'replace', path: 'active', value: true }]);
  assert.equal(
    await memberAfter({ subject: 'mara-1', email, isVerified: false }),
    own,
    'nor without a verified address',
  );
  assert.equal(
    await memberAfter({ subject: 'mara-1', email: 'x@example.com', isVerified: true }),
    own,
    'nor by another',
  );
  assert.equal(await memberAfter({ subject: 'mara-1', email, isVerified: true }), Number(id));
  const audited = await service.database.query(
    `select actor_id as actor, subject_id as subject, detail from audit_log where action = 'user.linked'`,
  );
  assert.deepEqual(audited, [{ actor: user.id, subject: String(user.id), detail: { member: Number(id) } }]);
});

/** Two workspaces whose owners do not know each other add a user with the same address. */
async function addTwice(email: string): Promise<{ ids: number[]; links: string[]; workspaces: number[] }> {
  const workspaces = [await service.addWorkspace(), await service.addWorkspace()];
  const added: UserWithLink[] = [];
  for (const [nth, workspace] of workspaces.entries()) {
    const { call } = await signIn(service, { email: `${nth}.of.${email}`, workspace });
    const body = { email, name: 'Noor', role: 'AUDITOR' };
    added.push((await call<UserWithLink>('/api/v1/users', { method: 'POST', body })).body);
  }
  return { ids: added.map(({ id }) => id), links: added.map(({ link }) => new URL(link).hash.slice(1)), workspaces };
}

test('somebody who signs in with a verified address gets the roles of all accounts of this address, and others lose their ways in', async () => {
  const email = 'noor@example.com';
  const { ids, links, workspaces } = await addTwice(email);
  assert.equal(new Set(ids).size, 2);
  // The first owner has used the link before, and is still signed in.
  const before = cookieFrom(await useLink(service.url, links[0] as string));
  provider.person = { subject: 'noor-1', email, isVerified: true };
  const noor = createVisitor();
  await enter(noor);
  assert.deepEqual(await workspacesOf(noor), workspaces);
  await eventually(
    async () => (await service.call('/api/v1/me', { token: null, headers: { Cookie: before } })).status === 401,
  );
  assert.equal((await useLink(service.url, links[1] as string)).status, 401);
  const audited = await service.database.query<{ at: number }>(
    `select workspace_id as at from audit_log where action = 'user.accounts_joined' and subject_id = $1`,
    [String(ids[0])],
  );
  assert.deepEqual(audited, [{ at: workspaces[1] }]);
});

test('somebody who connects a second account of their address to the same person of the provider has one account', async () => {
  const email = 'omar@example.com';
  const { links, workspaces } = await addTwice(email);
  provider.person = { subject: 'omar-1', email, isVerified: false };
  const browsers = [];
  for (const link of links) {
    const browser = createVisitor();
    browser.setCookie(service.url, 'giftwire', cookieFrom(await useLink(service.url, link)).split('=')[1] as string);
    assert.equal((await enter(browser, '?connect')).search, '');
    browsers.push(browser);
  }
  assert.deepEqual(await workspacesOf(browsers[1] as Visitor), workspaces);
  const later = createVisitor();
  await enter(later);
  assert.deepEqual(await workspacesOf(later), workspaces);
});

test('without a provider that answers, the sign-in page says so', async () => {
  const lonely = await startService({
    oidc: { issuer: 'http://127.0.0.1:9', clientId, clientSecret, name: 'Example Login' },
  });
  const answer = await fetch(`${lonely.url}/session/oidc`, { redirect: 'manual' });
  assert.equal(answer.headers.get('location'), '/sign-in?fault=unavailable');
});

test('after thirty ways back that let nobody in, the provider is not asked any more; one that does is not counted', async () => {
  await service.database.query('delete from sign_in_attempts');
  const kept = { state: 'state', nonce: 'nonce', verifier: 'v'.repeat(43), to: '/', session: '' };
  const Cookie = `giftwire-oidc=${Buffer.from(JSON.stringify(kept)).toString('base64url')}`;
  const query = new URLSearchParams({ code: 'guessed', state: 'state', iss: issuer });
  const comeBack = async () => {
    const answer = await fetch(`${service.url}/session/oidc/callback?${query}`, {
      redirect: 'manual',
      headers: { Cookie },
    });
    return answer.headers.get('location');
  };
  await addUser(service, { email: 'lea@example.com', name: 'Lea' });
  provider.person = { subject: 'lea-1', email: 'lea@example.com', isVerified: true };
  assert.equal((await enter(createVisitor())).pathname, '/');
  const before = provider.asked;
  for (let nth = 0; nth < 30; nth++) assert.equal(await comeBack(), '/sign-in?fault=unauthenticated');
  assert.equal(provider.asked, before + 30);
  assert.equal(await comeBack(), '/sign-in?fault=tooMany');
  assert.equal((await enter(createVisitor())).search, '?fault=tooMany');
  assert.equal(provider.asked, before + 30);
});
