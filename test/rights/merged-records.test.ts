import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AuditPage } from '../../src/ground/contract/audit.ts';
import type { Erasure } from '../../src/ground/contract/erasure.ts';
import { runErasure } from '../../src/insight/rights/run.ts';
import { eventually } from '../support/eventually.ts';
import { giftwire } from '../support/process.ts';
import { startService } from '../support/service.ts';
import { signIn } from '../support/sign-in.ts';
import { openWorkspace } from '../support/workspace.ts';

// Records that are merged while an erasure waits, or after it.

const service = await startService();
const { database } = service;

async function openCompany() {
  const workspace = await openWorkspace(service, {
    people: [
      { email: 'tomas@example.com', firstName: 'Tomás', lastName: 'Rivera' },
      { email: 'grace@example.com', firstName: 'Grace', lastName: 'Kowalski' },
    ],
  });
  const [tomas = 0, grace = 0] = workspace.memberIds;
  const { call } = await signIn(service, { workspace: workspace.id, email: 'owner@example.com' });
  const ask = async <Body>(status: number, request: string, body?: object): Promise<Body> => {
    const [method = '', path] = request.split(' ');
    const answer = await call<Body>(`/api/v1${path}`, { method, ...(body && { body }) });
    assert.equal(answer.status, status, `${request}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const stateOf = async (id: number) =>
    (await ask<{ erasure: Erasure | null }>(200, `GET /members/${id}/erasure`)).erasure?.state;
  const begin = async (id: number, state: string) => {
    await database.query('update erasures set due_at = now() where workspace_id = $1', [workspace.id]);
    const read = async () => {
      while (await runErasure(database));
      const sql = 'select state from erasures where workspace_id = $1 and member_id = $2';
      return (await database.query<{ state: string }>(sql, [workspace.id, id]))[0]?.state;
    };
    await eventually(read, (now) => now === state);
  };
  return { workspace, tomas, grace, ask, stateOf, begin };
}

test('a record is not merged while the erasure of one of the two waits', async () => {
  const { workspace, tomas, grace, ask, stateOf } = await openCompany();
  await ask(200, `POST /members/${tomas}/erasure`);
  const { message } = await ask<{ message: string }>(409, `POST /members/${tomas}/merge`, { into: grace });
  assert.equal(message, `The erasure of member ${tomas} was asked for: stop it before you merge the record.`);
  await ask(409, `POST /members/${grace}/merge`, { into: tomas });
  const asked = ['member', 'merge', String(tomas), String(grace), '--workspace', String(workspace.id), '--yes'];
  const { code, stderr } = await giftwire(asked, { DATABASE_URL: database.url });
  assert.deepEqual([code, stderr.includes('stop it before you merge')], [1, true], stderr);
  assert.equal(await stateOf(tomas), 'WAITING');
  await ask(200, `POST /members/${tomas}/erasure/stop`);
  await ask(200, `POST /members/${tomas}/merge`, { into: grace });
});

test('a record that a node of the release before has merged while its erasure waited takes nobody along', async () => {
  const { workspace, tomas, grace, ask, begin } = await openCompany();
  await ask(200, `POST /members/${tomas}/erasure`);
  await workspace.merge(tomas, grace);
  await begin(tomas, 'STOPPED');
  const { firstName } = await ask<{ firstName: string }>(200, `GET /members/${grace}`);
  assert.equal(firstName, 'Grace');
  const { entries } = await ask<AuditPage>(200, 'GET /audit?action=member.erasure_stopped');
  assert.deepEqual(
    entries.map(({ detail }) => detail),
    [{ reason: 'The record was merged into another one since. Ask for the erasure of that one.' }],
  );
});

test('the record of an erased person gets no name, no presence and no other record', async () => {
  const { workspace, tomas, grace, ask, stateOf, begin } = await openCompany();
  await ask(200, `POST /members/${tomas}/erasure`);
  await begin(tomas, 'DONE');
  await ask(409, `PATCH /members/${tomas}`, { firstName: 'Tomás' });
  await ask(409, `PATCH /members/${tomas}`, { email: 'tomas@example.com' });
  await ask(409, `POST /members/${tomas}/return`);
  await ask(409, `POST /members/${tomas}/merge`, { into: grace });
  await ask(409, `PUT /members/${tomas}/hold`, { reason: 'Tomás Rivera' });
  await ask(409, `PUT /members/${tomas}/restriction`, { reason: 'Tomás Rivera' });
  await assert.rejects(workspace.merge(tomas, grace), /was erased/);
  await assert.rejects(workspace.merge(grace, tomas), /was erased/);
  assert.equal(await stateOf(tomas), 'DONE');
  const { firstName, active } = await ask<{ firstName: string; active: boolean }>(200, `GET /members/${tomas}`);
  assert.deepEqual([firstName, active], ['', false]);
});
