import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atTheCommandLine } from '../../src/company/workspaces/audit.ts';
import type { FeedPost } from '../../src/ground/contract/feed.ts';
import { readErasure, requestErasure } from '../../src/insight/rights/erasures.ts';
import { runErasure } from '../../src/insight/rights/run.ts';
import { asEmployee, letIn } from '../support/employees.ts';
import { eventually } from '../support/eventually.ts';
import { aGift } from '../support/orders.ts';
import { startService } from '../support/service.ts';
import { findTraces } from '../support/traces.ts';
import { openWorkspace } from '../support/workspace.ts';

const service = await startService({ mailServer: 'outbox', tokenKey: 'k'.repeat(32) });
const { database } = service;

test('responses that are kept for Idempotency-Keys have no text that an erased person wrote or received', async () => {
  const workspace = await openWorkspace(service, {
    people: [
      { email: 'tomas@example.com', firstName: 'Tomás', lastName: 'Rivera', employeeNumber: '1' },
      { email: 'grace@example.com', firstName: 'Grace', lastName: 'Kowalski', employeeNumber: '2' },
    ],
  });
  const [tomas = 0, grace = 0] = workspace.memberIds;
  await letIn(service, { access: 'ALL' }, workspace.id);
  const item = aGift({ recipient: { email: 'tomas@example.com' }, message: 'zzreceived' });
  const [{ id: giftId } = { id: 0 }] = (await workspace.outcome(await workspace.submit([item]))).certificates;
  const asTomas = await asEmployee(service, tomas, workspace.id);
  const asGrace = await asEmployee(service, grace, workspace.id);
  let nth = 0;
  const post = async <Body>({ call }: typeof asTomas, path: string, body?: object): Promise<Body> => {
    const headers = { 'Idempotency-Key': `key-${++nth}` };
    const answer = await call<Body>(`/api/v1${path}`, { method: 'POST', headers, ...(body && { body }) });
    assert.ok(answer.status < 300, `${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const given = await post<FeedPost>(asTomas, '/feed/posts', { to: [{ memberId: grace }], message: 'zzwrote' });
  await post(asTomas, `/feed/posts/${given.id}/comments`, { text: 'zzcommented' });
  await post(asGrace, `/feed/posts/${given.id}/comments`, { text: 'zzother' });
  await post(asTomas, `/me/gifts/${giftId}/open`);
  const ofGrace = {
    method: 'POST',
    headers: { 'Idempotency-Key': 'of-grace' },
    body: { to: [{ memberId: tomas }], message: 'zzfromgrace' },
  };
  assert.equal((await asGrace.call('/api/v1/feed/posts', ofGrace)).status, 201);
  await workspace.cancelGift(giftId);
  await database.transaction((tx) => requestErasure(tx, atTheCommandLine, workspace.id, tomas));
  await database.query('update erasures set due_at = now() where workspace_id = $1', [workspace.id]);
  await eventually(async () => {
    while (await runErasure(database));
    return (await readErasure(database, workspace.id, tomas))?.state === 'DONE';
  });
  assert.deepEqual(await findTraces(database, ['zzreceived', 'zzwrote', 'zzcommented', 'zzfromgrace']), []);
  const again = await asGrace.call<{ message: string }>('/api/v1/feed/posts', ofGrace);
  assert.deepEqual([again.status, /carried out/.test(again.body.message)], [409, true], again.body.message);
  const kept = await findTraces(database, ['zzother']);
  assert.deepEqual(kept.map(({ table }) => table).sort(), ['feed_comments', 'request_keys']);
});
