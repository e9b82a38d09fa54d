import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { inWorkspace } from '../../src/company/workspaces/lock.ts';
import { failOrder } from '../../src/giving/orders/fulfil.ts';
import type { Me } from '../../src/ground/contract/me.ts';
import { cleanUp } from '../support/cleanup.ts';
import { assertFailed, type Json, runJson } from '../support/commands.ts';
import { eventually } from '../support/eventually.ts';
import { aGift } from '../support/orders.ts';
import { giftwire } from '../support/process.ts';
import { startService } from '../support/service.ts';
import { browserWith, cookieFrom, signIn, useLink } from '../support/sign-in.ts';
import { openWorkspace } from '../support/workspace.ts';

const tokenKey = 'k'.repeat(32);
// No worker: an order that failed by hand stays as it is.
const service = await startService({ tokenKey, role: 'api' });
const env = { DATABASE_URL: service.database.url, GIFTWIRE_TOKEN_KEY: tokenKey, PORT: new URL(service.url).port };
const json = <T = Json>(args: string[]) => runJson<T>(args, env);
const run = (...args: string[]) => giftwire(args, env);

/** What the audit log has about the command line, the oldest first. */
async function noted(workspaceId: number): Promise<string[]> {
  const rows = await service.database.query<{ action: string }>(
    `select action from audit_log where workspace_id = $1 and actor = 'CLI' order by id`,
    [workspaceId],
  );
  return rows.map(({ action }) => action);
}

test('a link lets somebody in; their role is changed and taken away, and their sessions end', async () => {
  const workspace = await openWorkspace(service);
  const at = ['--workspace', String(workspace.id)];
  assertFailed(
    await run('admin', 'link', '--email', 'max@example.com'),
    /several workspaces: say which with --workspace/,
  );
  const made = await json<{ email: string; link: string; secret: string }>([
    ...['admin', 'link', '--email', 'Max@Example.com', '--name', 'Max Roy', '--role', 'AUDITOR', ...at],
  ]);
  const { hash, pathname, port } = new URL(made.link);
  assert.deepEqual([made.email, port, pathname, hash], ['max@example.com', env.PORT, '/sign-in', `#${made.secret}`]);
  const answer = await useLink(service.url, made.secret);
  const [user] = await json<{ id: number; role: string; sessions: number }[]>(['admin', 'list', ...at]);
  assert.partialDeepStrictEqual(user, { email: 'max@example.com', name: 'Max Roy', role: 'AUDITOR', sessions: 1 });
  const known = { id: user?.id ?? 0, email: made.email, name: 'Max Roy' };
  const max = browserWith(service, known, cookieFrom(answer), workspace.id);
  const roleOf = async () => (await max.call<Me>('/api/v1/me')).body.workspaces?.[0]?.role ?? null;
  assert.equal(await roleOf(), 'AUDITOR');
  await json(['admin', 'role', 'max@example.com', 'APPROVER', ...at]);
  assert.equal(await eventually(roleOf, (role) => role !== 'AUDITOR'), 'APPROVER');
  assert.deepEqual(await json(['admin', 'sign-out', 'max@example.com']), { email: 'max@example.com', sessions: 1 });
  await eventually(async () => (await max.call('/api/v1/me')).status === 401);
  await json(['admin', 'revoke', 'max@example.com', ...at]);
  assert.deepEqual(await noted(workspace.id), [
    ...['user.added', 'user.link_made', 'user.changed', 'user.sessions_ended', 'user.removed'],
  ]);
});

test('an address with separate accounts in two workspaces needs --workspace, and is signed out of both', async () => {
  const [first, second] = [await openWorkspace(service), await openWorkspace(service)];
  const email = 'twice@example.com';
  for (const { id } of [first, second]) {
    const owner = await signIn(service, { email: `owner${id}@example.com`, workspace: id });
    const added = await owner.call<{ link: string }>('/api/v1/users', {
      method: 'POST',
      body: { email, name: 'Twice', role: 'AUDITOR' },
    });
    await useLink(service.url, new URL(added.body.link).hash.slice(1));
  }
  assertFailed(
    await run('admin', 'link', '--email', email),
    /separate accounts in several workspaces: say which with --w/,
  );
  const at = ['--workspace', String(second.id)];
  await json(['admin', 'role', email, 'APPROVER', ...at]);
  const listed = async (id: number) =>
    (await json<{ email: string; role: string }[]>(['admin', 'list', '--workspace', String(id)]))
      .filter((one) => one.email === email)
      .map(({ role }) => role);
  assert.deepEqual([await listed(first.id), await listed(second.id)], [['AUDITOR'], ['APPROVER']]);
  assert.deepEqual(await json(['admin', 'sign-out', email]), { email, sessions: 2 });
  await json(['admin', 'revoke', email, ...at]);
  assert.deepEqual([await listed(first.id), await listed(second.id)], [['AUDITOR'], []]);
});

test('an operator gives any account a role; with --reset the link is the only way in', async () => {
  const [first, second] = [await openWorkspace(service), await openWorkspace(service)];
  const email = 'ceo@example.com';
  const ceo = await signIn(service, { email, role: 'AUDITOR', workspace: first.id });
  await ceo.call('/api/v1/me/password', { method: 'POST', body: { password: 'one wire, one bow' } });
  const roles = async () => (await ceo.call<Me>('/api/v1/me')).body.workspaces?.map(({ role }) => role) ?? null;
  const given = ['--email', email, '--role', 'OWNER', '--workspace', String(second.id)];
  await json(['admin', 'link', ...given]);
  assert.deepEqual(await eventually(roles, (list) => list?.length === 2), ['AUDITOR', 'OWNER']);
  const { secret } = await json<{ secret: string }>(['admin', 'link', '--reset', '--email', email]);
  await eventually(roles, (list) => list === null);
  const [user] = await json<object[]>(['admin', 'list', '--workspace', String(second.id)]);
  assert.partialDeepStrictEqual(user, { role: 'OWNER', hasPassword: false, sessions: 0 });
  assert.equal((await useLink(service.url, secret)).status, 204);
});

test('somebody who had no role any more needs a link', async () => {
  const { id } = await openWorkspace(service);
  const [email, at] = ['back@example.com', ['--workspace', String(id)]];
  await json(['admin', 'link', '--email', email, '--role', 'AUDITOR', ...at]);
  await json(['admin', 'revoke', email, ...at]);
  const { stdout } = await run('admin', 'role', email, 'AUDITOR', ...at);
  assert.match(
    stdout,
    /within a second\.\n\nThey had none before and need a link: npx giftwire admin link --email back@example\.com\n$/,
  );
  assert.equal((await json<{ needsLink: boolean }>(['admin', 'role', email, 'APPROVER', ...at])).needsLink, false);
});

test('a link for somebody who is known changes no role that it does not name', async () => {
  const first = await openWorkspace(service, { people: [{ email: 'ada@example.com' }] });
  const second = await openWorkspace(service);
  const email = 'vera@example.com';
  const link = (id: number, ...more: string[]) => [
    'admin',
    'link',
    '--email',
    email,
    '--workspace',
    String(id),
    ...more,
  ];
  const listed = async (id: number) => (await json<Json[]>(['admin', 'list', '--workspace', String(id)]))[0];
  await json(link(first.id, '--role', 'AUDITOR'));
  const before = await listed(first.id);
  await json(link(first.id));
  assert.deepEqual(await listed(first.id), before);
  assert.deepEqual(await noted(first.id), ['user.added', 'user.link_made', 'user.link_made']);
  await json(link(first.id, '--member', 'ada@example.com'));
  assert.partialDeepStrictEqual(await listed(first.id), { role: 'AUDITOR', memberId: first.memberIds[0] });
  assertFailed(
    await run(...link(second.id)),
    new RegExp(`^vera@example\\.com has no role in workspace ${second.id}: say which one with --role\\.$`, 'm'),
  );
  assert.equal(await listed(second.id), undefined);
});

test('what cannot be done is said in one line', async () => {
  const workspace = await openWorkspace(service);
  const at = ['--workspace', String(workspace.id)];
  await json(['admin', 'link', '--email', 'first@example.com', ...at]);
  assertFailed(await run('admin', 'role', 'first@example.com', 'AUDITOR', ...at), /the last owner of the workspace/);
  assertFailed(await run('admin', 'revoke', 'first@example.com', ...at), /the last owner of the workspace/);
  assertFailed(
    await run('admin', 'role', 'nobody@example.com', 'OWNER', ...at),
    /No user has the email address nobody@example.com/,
  );
  assertFailed(await run('admin', 'list', '--workspace', '999'), /no workspace 999/);
  const manager = ['admin', 'link', '--email', 'boss@example.com', '--role', 'MANAGER', ...at];
  assertFailed(await run(...manager), /No member of this workspace has the address boss@example.com/);
  const { stdout } = await run('admin', 'list', ...at);
  assert.match(stdout, /^Id +E-mail +Name +Role .*\n\d+ +first@example\.com +first@example\.com +OWNER/);
});

test('what commands change in a workspace is in its audit log', async () => {
  const { id } = await json<{ id: number }>(['workspace', 'create', '--name', 'Audited']);
  const at = ['--workspace', String(id)];
  await json(['workspace', 'update', String(id), '--leavers', 'accept']);
  const reason = await json<{ id: number }>(['reason', 'add', 'Teamwork', ...at]);
  await json(['reason', 'update', String(reason.id), '--description', 'Great work', ...at]);
  await json(['reason', 'retire', String(reason.id), ...at]);
  const hook = String((await json<{ id: number }>(['webhook', 'create', 'http://127.0.0.1:9/', ...at])).id);
  for (const change of [
    ['update', hook, '--description', 'P'],
    ['rotate', hook],
    ['disable', hook],
    ['enable', hook],
  ])
    await json(['webhook', ...change, ...at]);
  await json(['webhook', 'replay', hook, '--from', '1', ...at]);
  await json(['webhook', 'delete', hook, ...at]);
  assert.deepEqual(await noted(id), [
    ...['workspace.created', 'settings.changed', 'reason.added', 'reason.changed', 'reason.retired'],
    ...['webhook.added', 'webhook.changed', 'webhook.rotated', 'webhook.disabled', 'webhook.enabled'],
    ...['webhook.replayed', 'webhook.deleted'],
  ]);
});

test('so is what they change about people and orders', async () => {
  const workspace = await openWorkspace(service);
  const at = ['--workspace', String(workspace.id)];
  const folder = await mkdtemp(join(tmpdir(), 'giftwire-people-'));
  cleanUp(() => rm(folder, { recursive: true }));
  const file = join(folder, 'people.csv');
  await writeFile(file, 'email,employeeNumber,firstName\nada@example.com,1,Ada\nold@example.com,2,Ada\n');
  await json(['members', 'import', file, '--dry-run', ...at]);
  assert.deepEqual(await noted(workspace.id), [], 'a dry run changes nothing');
  await json(['members', 'import', file, ...at]);
  await json(['member', 'merge', 'old@example.com', 'ada@example.com', '--yes', ...at]);
  await json(['member', 'split', 'ada@example.com', '--yes', ...at]);
  const requestId = await workspace.submit([aGift({ recipient: { email: 'ada@example.com' } })]);
  await inWorkspace(service.database, workspace.id, (tx, moment) =>
    failOrder(tx, workspace.id, moment, requestId, 'the lines contradict each other'),
  );
  await json(['order', 'retry', requestId]);
  const expected = ['members.imported', 'member.merged', 'member.split', 'order.retried'];
  assert.deepEqual(await noted(workspace.id), expected);
});
