import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findOrAddTeams, joinTeams } from '../../src/company/directory/teams.ts';
import { inWorkspace } from '../../src/company/workspaces/lock.ts';
import type { CoveragePage } from '../../src/ground/contract/coverage.ts';
import { Answers } from '../../src/insight/reports/answers.ts';
import type { Reader } from '../../src/insight/reports/span.ts';
import { startService } from '../support/service.ts';
import { aShoutout, openWorkspace } from '../support/workspace.ts';

const tokenKey = 'the-key-that-all-nodes-of-this-file-share';
const service = await startService({ tokenKey });
const { database } = service;
/** A token that reads everything. */
const everything = { onlyReportsOf: null, memberId: 1, role: null, scopes: ['reports:read'] };

const other = await startService({ tokenKey, databaseUrl: database.url, demo: false });

test('what changes on one node is in the next answer of another, whatever it is', async () => {
  const workspace = await openWorkspace(service, {
    people: [
      { email: 'a@example.com', department: 'Care' },
      { email: 'b@example.com', department: 'Care' },
    ],
  });
  const [a, b] = workspace.memberIds as [number, number];
  const read = async (by: string) => {
    const headers = { Authorization: `Bearer ${workspace.token}`, 'X-Workspace-id': String(workspace.id) };
    const answer = await fetch(`${other.url}/api/v1/reports/coverage?by=${by}`, { headers });
    const { company, groups } = (await answer.json()) as CoveragePage;
    return [company.people, company.recognized, groups.map(({ name }) => name).join()];
  };
  assert.deepEqual(await read('department'), [2, 0, 'Care']);

  await workspace.give(aShoutout({ recipient: { email: 'a@example.com' } }));
  assert.deepEqual(await read('department'), [2, 1, 'Care']);

  await workspace.change(b, { department: 'Sales' });
  assert.deepEqual(await read('department'), [2, 1, 'Sales,Care']);

  assert.deepEqual(await read('team'), [2, 1, 'Everyone']);
  await inWorkspace(database, workspace.id, async (tx) => {
    const teams = await findOrAddTeams(tx, workspace.id, ['Voice']);
    await joinTeams(tx, workspace.id, [{ memberId: b, teamId: teams.get('Voice') as number }]);
  });
  assert.deepEqual(await read('team'), [2, 1, 'Voice,Everyone']);

  await workspace.merge(b, a);
  assert.deepEqual(await read('department'), [1, 1, 'Care']);
  await workspace.passDays(100);
  assert.deepEqual(await read('department'), [1, 0, 'Care']);
});

test('while nothing changes a report is read once, also if several ask at the same time', async () => {
  const workspace = await openWorkspace(service);
  const answers = new Answers(database);
  const reader: Reader = { ...everything, workspaceId: workspace.id };
  let reads = 0;
  const ask = (question = { report: 'a' }, by: Reader = reader) => answers.read(by, question, async () => ++reads);
  assert.deepEqual(await Promise.all([ask(), ask(), ask()]), [1, 1, 1]);
  assert.equal(await ask(), 1);
  assert.equal(await ask({ report: 'b' }), 2);
  assert.equal(await ask({ report: 'a' }, { ...reader, onlyReportsOf: 7 }), 3);
  await inWorkspace(database, workspace.id, async () => {});
  assert.equal(await ask(), 4);
});

test('long answers are kept only as far as there is room for all of them, the oldest least', async () => {
  const workspace = await openWorkspace(service);
  const answers = new Answers(database);
  const reader: Reader = { ...everything, workspaceId: workspace.id };
  const reads: string[] = [];
  const ask = (report: string, length = 4_000_000) =>
    answers.read(reader, { report }, async () => {
      reads.push(report);
      return 'x'.repeat(length);
    });
  for (const report of ['a', 'b', 'a', 'b', 'c', 'c', 'b', 'a', 'b']) await ask(report);
  assert.deepEqual(reads.splice(0), ['a', 'b', 'c', 'a', 'b']);
  await ask('too long', 11_000_000);
  await ask('too long', 11_000_000);
  for (const report of ['a', 'b', 'a', 'b']) await ask(report);
  assert.deepEqual(reads, ['too long', 'too long', 'a', 'b'], 'what was forgotten takes no room');
});

test('a report that could not be read is read again', async () => {
  const workspace = await openWorkspace(service);
  const answers = new Answers(database);
  const reader: Reader = { ...everything, workspaceId: workspace.id };
  await assert.rejects(answers.read(reader, { report: 'a' }, () => Promise.reject(new Error('gone'))));
  assert.equal(await answers.read(reader, { report: 'a' }, async () => 'back'), 'back');
});
