import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Member } from '../../src/ground/contract/member.ts';
import { startService } from '../support/service.ts';
import { openWorkspace, refusal } from '../support/workspace.ts';

const service = await startService({ role: 'api' });

test('the days of a leave and the days that colleagues are not told about are kept and cleared', async () => {
  const { memberIds, call } = await openWorkspace(service, { people: [{ email: 'ada@example.com' }] });
  const patch = (body: object) => call<Member>(`/api/v1/members/${memberIds[0]}`, { method: 'PATCH', body });
  const kept = { leaveStartsOn: '2026-10-05', leaveEndsOn: '2027-01-04', hiddenDays: 'BOTH' };
  const { body } = await patch(kept);
  assert.deepEqual([body.leaveStartsOn, body.leaveEndsOn, body.hiddenDays], Object.values(kept));
  const { body: cleared } = await patch({ leaveStartsOn: null, hiddenDays: null });
  assert.deepEqual([cleared.leaveStartsOn, cleared.leaveEndsOn, cleared.hiddenDays], [null, '2027-01-04', null]);
});

test('a leave that ends before it starts, or a choice that does not exist, changes nothing', async () => {
  const { memberIds, call } = await openWorkspace(service, { people: [{ email: 'ada@example.com' }] });
  const path = `/api/v1/members/${memberIds[0]}`;
  const patch = (body: object) => call(path, { method: 'PATCH', body });
  const backwards = refusal(await patch({ leaveStartsOn: '2026-10-05', leaveEndsOn: '2026-10-04' }), 400);
  assert.match(backwards, /leaveEndsOn must not be before leaveStartsOn/);
  assert.equal((await patch({ hiddenDays: 'CHRISTMAS' })).status, 400);
  const { body } = await call<Member>(path);
  assert.deepEqual([body.leaveStartsOn, body.leaveEndsOn, body.hiddenDays], [null, null, null]);
});
