import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AuditEntry } from '../../src/ground/contract/audit.ts';
import { connectScim } from '../support/scim.ts';
import { startService } from '../support/service.ts';

const service = await startService();

test('what an identity provider changes is in the audit log, and what is refused is not', async () => {
  const scim = await connectScim(service);
  const user = await scim.addUser({ userName: 'ada@example.com', name: { givenName: 'Ada', familyName: 'Okafor' } });
  await scim.patch(`/Users/${user.id}`, [{ op: 'replace', path: 'displayName', value: 'Ada O.' }]);
  const group = await scim.post('/Groups', { displayName: 'Platform', members: [{ value: user.id }] });
  await scim.patch(`/Groups/${group.body.id}`, [{ op: 'replace', path: 'displayName', value: 'Core' }]);
  assert.equal((await scim.post('/Groups', { displayName: 'core' })).status, 409);
  await scim.delete(`/Groups/${group.body.id}`);
  await scim.delete(`/Users/${user.id}`);
  const { token } = await service.addToken({ workspaces: [scim.workspaceId], scopes: ['audit:read'] });
  const { body } = await service.call<{ entries: AuditEntry[] }>('/api/v1/audit?size=100', {
    token,
    workspace: scim.workspaceId,
  });
  const told = body.entries
    .filter(({ actor }) => actor === 'TOKEN')
    .map(({ actor, action, subjectName }) => `${actor} ${action} ${subjectName}`);
  assert.deepEqual(told.reverse(), [
    ...['TOKEN member.added Ada Okafor', 'TOKEN member.changed Ada Okafor', 'TOKEN team.added Platform'],
    ...['TOKEN team.changed Core', 'TOKEN team.deleted Core', 'TOKEN member.left Ada Okafor'],
  ]);
});
