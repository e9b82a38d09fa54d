import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asEmployee, letIn } from '../support/employees.ts';
import { startService } from '../support/service.ts';
import { signIn } from '../support/sign-in.ts';
import { aShoutout, openWorkspace } from '../support/workspace.ts';

const service = await startService();

async function openCompany() {
  const people = [
    { email: 'ada@example.com', firstName: 'Ada', lastName: 'Okafor', employeeNumber: '1' },
    { email: 'grace@example.com', firstName: 'Grace', lastName: 'Kowalski', employeeNumber: '2' },
  ];
  const workspace = await openWorkspace(service, { people, actsAs: 'grace@example.com' });
  await workspace.given(
    aShoutout({ recipient: { email: 'ada@example.com' }, message: 'You stayed until the last truck.' }),
  );
  const { cookie } = await signIn(service, { workspace: workspace.id, email: 'ada@example.com', role: 'MANAGER' });
  const download = async (of = cookie) => {
    const headers = {
      Cookie: of,
      Origin: service.url,
      'X-Workspace-id': String(workspace.id),
      Accept: 'application/zip',
    };
    const answer = await fetch(`${service.url}/api/v1/me/data`, { headers });
    return { answer, content: Buffer.from(await answer.arrayBuffer()) };
  };
  return { workspace, download };
}

test('a person downloads everything about themselves three times a day, and the audit log has it', async () => {
  const { workspace, download } = await openCompany();
  const { answer, content } = await download();
  assert.deepEqual([answer.status, answer.headers.get('cache-control')], [200, 'no-store']);
  assert.match(answer.headers.get('content-disposition') ?? '', /^attachment; filename="data-\d+-/);
  assert.equal(content.toString('latin1', 0, 2), 'PK');
  for (const name of ['index.html', 'data.json']) assert.ok(content.includes(name));
  assert.equal((await download()).answer.status, 200);
  assert.equal((await download()).answer.status, 200);
  const { answer: refused } = await download();
  assert.equal(refused.status, 429);
  assert.ok(Number(refused.headers.get('retry-after')) > 3_600);
  const { body } = await workspace.call('/api/v1/audit?action=member.data_read');
  assert.equal((body as { entries: unknown[] }).entries.length, 3);
});

test('a shared screen and a program get no file of a person', async () => {
  const { workspace, download } = await openCompany();
  await letIn(service, { access: 'ALL' }, workspace.id);
  const { cookie } = await asEmployee(service, workspace.memberIds[0] as number, workspace.id);
  assert.equal((await download(cookie)).answer.status, 403);
  assert.equal((await workspace.call('/api/v1/me/data')).status, 403);
});
