import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TokenUses } from '../../src/company/access/token-uses.ts';
import type { Token, TokenPage } from '../../src/ground/contract/token.ts';
import type { Queryable } from '../../src/ground/database/database.ts';
import { cleanUp } from '../support/cleanup.ts';
import { startService, type TestService } from '../support/service.ts';

const tokenKey = 'a-key-that-both-nodes-of-this-file-share';
const service = await startService({ tokenKey });
const { database, workspaceId: workspace } = service;

const openUses = (on: Queryable = database, problems: unknown[] = []) => {
  const uses = new TokenUses(on, { onProblem: (error) => problems.push(error) });
  cleanUp(() => uses.close());
  return uses;
};

/** The counts of a token, today last, as the API shows them in a workspace. */
async function countsOf(id: number, at: TestService = service, seenBy = workspace): Promise<number[]> {
  const { token } = await at.addToken({ workspaces: [seenBy] });
  const { body } = await at.call<TokenPage>('/api/v1/tokens?size=200', { token, workspace: seenBy });
  const found = body.tokens.find((one) => one.id === id) as Token;
  assert.equal(found.requestsByDay.length, 30);
  return found.requestsByDay;
}

const total = (counts: readonly number[]) => counts.reduce((sum, count) => sum + count, 0);

test('the requests of a token that were let in are counted for each workspace, also when a node stops', async () => {
  const other = await service.addWorkspace({ name: 'Elsewhere' });
  const scopes = ['webhooks:read'];
  const { id, token } = await service.addToken({ scopes, workspaces: [workspace, other] });
  const node = await startService({ tokenKey, database });
  const ask = async (path: string, inWorkspace: number | null, status: number) =>
    assert.equal((await node.call(`/api/v1/${path}`, { token, workspace: inWorkspace })).status, status);
  for (const _ of [1, 2, 3]) await ask('webhooks', workspace, 200);
  await ask('webhooks/1', workspace, 404);
  await ask('webhooks', other, 200);
  await ask('orders', workspace, 403);
  await ask('webhooks', null, 400);
  await node.stop();
  assert.equal(total(await countsOf(id)), 4);
  assert.equal(total(await countsOf(id, service, other)), 1);
});

test('nodes add to one count, and a token without requests has none', async () => {
  const [{ id }, quiet] = [await service.addToken(), await service.addToken()];
  const nodes = [openUses(), openUses()];
  for (const [nth, node] of nodes.entries()) {
    node.note(workspace, id, nth + 1);
    node.note(workspace, id);
  }
  await Promise.all(nodes.map((node) => node.write()));
  await Promise.all(nodes.map((node) => node.write()));
  assert.equal(total(await countsOf(id)), 5);
  assert.equal(total(await countsOf(quiet.id)), 0);
});

test('what cannot be written stays counted, and other requests are served', async () => {
  const { id } = await service.addToken();
  let isDown = true;
  const problems: unknown[] = [];
  const flaky: Queryable = {
    query: (...given) => (isDown ? Promise.reject(new Error('down')) : database.query(...given)),
  };
  const uses = openUses(flaky, problems);
  uses.note(workspace, id, 2);
  await uses.write();
  uses.note(workspace, id, 3);
  isDown = false;
  await uses.write();
  assert.equal(problems.length, 1);
  assert.equal(total(await countsOf(id)), 5);
});

test('the days are those of the workspace, and 30 of them are kept', async () => {
  const { id } = await service.addToken();
  const dayIn = `(now() at time zone $1)::date - date '1970-01-01'`;
  const uses = openUses();
  for (const zone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
    await database.query('update workspaces set time_zone = $2 where id = $1', [workspace, zone]);
    const [{ today = 0 } = {}] = await database.query<{ today: number }>(`select ${dayIn} as today`, [zone]);
    const stored = [-31, -30, -29, -1, 0].map((ago, nth) => [today + ago, 10 ** nth]);
    await database.query('update api_token_workspaces set requests = $3 where workspace_id = $1 and token_id = $2', [
      workspace,
      id,
      JSON.stringify(stored),
    ]);
    assert.deepEqual(await countsOf(id), [100, ...Array(27).fill(0), 1_000, 10_000]);
    uses.note(workspace, id, 7);
    await uses.write();
    assert.deepEqual(await countsOf(id), [100, ...Array(27).fill(0), 1_000, 10_007]);
    const [row] = await database.query<{ requests: number[][] }>(
      'select requests from api_token_workspaces where workspace_id = $1 and token_id = $2',
      [workspace, id],
    );
    assert.deepEqual(
      row?.requests.map(([day = 0]) => day - today),
      [-29, -1, 0],
    );
  }
});
