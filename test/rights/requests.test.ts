import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Erasure, ErasurePage } from '../../src/ground/contract/erasure.ts';
import { eventually } from '../support/eventually.ts';
import { startService } from '../support/service.ts';
import { type Browser, signIn } from '../support/sign-in.ts';
import { openWorkspace } from '../support/workspace.ts';

const service = await startService();

const list = async (browser: Browser, query = '') => {
  const { status, body } = await browser.call<ErasurePage>(`/api/v1/erasures${query}`);
  assert.equal(status, 200, JSON.stringify(body));
  return body.erasures.map(({ memberId, name, state, requestedBy }) => [memberId, name, state, requestedBy.name]);
};

test('what one person asks for is in the list of the others to confirm, and not in their own', async () => {
  const people = [
    { email: 'tomas@example.com', firstName: 'Tomás', lastName: 'Rivera' },
    { email: 'ada@example.com', firstName: 'Ada', lastName: 'Okafor' },
  ];
  const workspace = await openWorkspace(service, { people });
  const [tomas = 0] = workspace.memberIds;
  const joining = { workspace: workspace.id } as const;
  const first = await signIn(service, { ...joining, email: 'samir@example.com', name: 'Samir Marín' });
  const other = { ...joining, role: 'PEOPLE_TEAM', email: 'lucie@example.com', name: 'Lucie Gagnon' } as const;
  const second = await signIn(service, other);
  const path = `/api/v1/members/${tomas}/erasure`;
  const set = await first.call('/api/v1/settings', { method: 'PATCH', body: { erasureNeedsTwo: true } });
  assert.deepEqual([set.status, set.body.erasureNeedsTwo], [200, true]);
  assert.equal((await second.call(path)).body.confirmation, 'TWO_PEOPLE');
  const asked = await first.call<Erasure>(path, { method: 'POST' });
  assert.equal(asked.body.state, 'REQUESTED');
  const waiting = [[tomas, 'Tomás Rivera', 'REQUESTED', 'Samir Marín']];
  assert.deepEqual(await list(first, '?state=TO_CONFIRM'), []);
  assert.deepEqual(await list(second, '?state=TO_CONFIRM'), waiting);
  assert.deepEqual(await list(first), waiting);
  assert.equal((await first.call(`${path}/confirm`, { method: 'POST' })).status, 409);
  const agreed = await second.call<Erasure>(`${path}/confirm`, { method: 'POST' });
  assert.deepEqual([agreed.status, agreed.body.confirmedBy?.name], [200, 'Lucie Gagnon']);
  await eventually(async () => (await list(first, '?state=ENDED')).length === 1);
  assert.deepEqual(await list(first, '?state=ENDED'), [[tomas, null, 'DONE', 'Samir Marín']]);
  assert.deepEqual(await list(second), []);
  const auditor = await signIn(service, { ...joining, role: 'AUDITOR', email: 'audit@example.com' });
  assert.equal((await auditor.call('/api/v1/erasures')).status, 403);
});

test('erasures are listed page by page', async () => {
  const people = ['a', 'b', 'c'].map((name) => ({ email: `${name}@example.com`, firstName: name, lastName: 'Li' }));
  const workspace = await openWorkspace(service, { people });
  const owner = await signIn(service, { workspace: workspace.id, email: 'owner@example.com' });
  for (const id of workspace.memberIds) await owner.call(`/api/v1/members/${id}/erasure`, { method: 'POST' });
  const { body } = await owner.call<ErasurePage>('/api/v1/erasures?page=1&size=2');
  assert.deepEqual([body.totalElements, body.totalPages], [3, 2]);
  assert.deepEqual(
    body.erasures.map(({ name, state }) => [name, state]),
    [['c Li', 'WAITING']],
  );
});
