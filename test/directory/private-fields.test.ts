import assert from 'node:assert/strict';
import { test } from 'node:test';
import { roles, scopesOfRole } from '../../src/company/access/roles.ts';
import { startService } from '../support/service.ts';
import { signIn } from '../support/sign-in.ts';
import { openWorkspace } from '../support/workspace.ts';

const service = await startService();

test('the people team and the person read a birthday, and managers and auditors do not', async () => {
  const workspace = await openWorkspace(service, {
    people: [
      { email: 'boss@example.com' },
      { email: 'ada@example.com', birthday: '1990-05-17', phone: '+1 312 555 0142' },
    ],
  });
  const [boss = 0, ada = 0] = workspace.memberIds;
  await workspace.change(ada, { managerId: boss });
  for (const role of roles) {
    if (!scopesOfRole[role].includes('directory:read')) continue;
    const email = role === 'MANAGER' ? 'boss@example.com' : `${role.toLowerCase()}.${workspace.id}@example.com`;
    await workspace.addPeople(role === 'MANAGER' ? [] : [{ email }]);
    const browser = await signIn(service, { role, email, workspace: workspace.id });
    const mayRead = role === 'OWNER' || role === 'PEOPLE_TEAM';
    const { body: one } = await browser.call<Record<string, unknown>>(`/api/v1/members/${ada}`);
    const { body: list } = await browser.call<{ members: Record<string, unknown>[] }>('/api/v1/members?search=ada');
    for (const member of [one, list.members[0] as Record<string, unknown>]) {
      assert.equal(member.phone, '+1 312 555 0142', role);
      assert.equal('birthday' in member, mayRead, role);
      if (mayRead) assert.equal(member.birthday, '05-17', role);
    }
  }
});

test('a token reads birthdays if it may change people, and its own otherwise', async () => {
  const workspace = await openWorkspace(service, {
    people: [
      { email: 'ada@example.com', birthday: '02-29' },
      { email: 'li@example.com', birthday: '12-31' },
    ],
  });
  const read = async (scopes: string[], actsAs?: string) => {
    const { token } = await service.addToken({
      workspaces: [workspace.id],
      scopes,
      ...(actsAs !== undefined && { actsAs }),
    });
    const { body } = await service.call<{ members: { email: string; birthday?: string }[] }>('/api/v1/members', {
      workspace: workspace.id,
      token,
    });
    return Object.fromEntries(body.members.map(({ email, birthday }) => [email.split('@')[0], birthday]));
  };
  assert.deepEqual(await read(['directory:read', 'directory:write']), { ada: '02-29', li: '12-31' });
  assert.deepEqual(await read(['directory:read']), { ada: undefined, li: undefined });
  assert.deepEqual(await read(['directory:read'], 'ada@example.com'), { ada: '02-29', li: undefined });
});

test('neither events nor the audit log have the value of a birthday or a phone number, and the database rejects a year', async () => {
  const workspace = await openWorkspace(service, { people: [{ email: 'ada@example.com' }] });
  const [ada = 0] = workspace.memberIds;
  const body = { birthday: '17 May 1990', phone: '+1 312 555 0142' };
  const changed = await workspace.call<Record<string, unknown>>(`/api/v1/members/${ada}`, { method: 'PATCH', body });
  assert.deepEqual([changed.status, changed.body.birthday, changed.body.phone], [200, '05-17', '+1 312 555 0142']);
  const kept = await service.database.query<{ text: string }>(
    `select data::text as text from events where workspace_id = $1
      union all
     select detail::text from audit_log where workspace_id = $1`,
    [workspace.id],
  );
  for (const { text } of kept) assert.doesNotMatch(text ?? '', /05-17|1990|5550142|555 0142/);
  await assert.rejects(
    service.database.query("update members set birthday = '1990-05-17' where workspace_id = $1 and id = $2", [
      workspace.id,
      ada,
    ]),
    /members_birthday_check/,
  );
});
