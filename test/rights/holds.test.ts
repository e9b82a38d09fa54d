import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atTheCommandLine } from '../../src/company/workspaces/audit.ts';
import { beginRetention, type OwnRetention, runRetention } from '../../src/company/workspaces/retention.ts';
import { setRetention } from '../../src/company/workspaces/retention-settings.ts';
import type { ErasurePreview } from '../../src/ground/contract/erasure.ts';
import type { MemberRights } from '../../src/ground/contract/member-rights.ts';
import { leaverRetention } from '../../src/insight/rights/leaver-retention.ts';
import { retentions } from '../../src/retention.ts';
import { openCompany } from '../support/feed.ts';
import { aGift } from '../support/orders.ts';
import { startService } from '../support/service.ts';
import { signIn } from '../support/sign-in.ts';
import { openWorkspace } from '../support/workspace.ts';

const service = await startService({ role: 'api' });
const { database } = service;

const person = (name: string) => ({ email: `${name}@example.com`, firstName: name, lastName: 'Li' });

async function open(...names: string[]) {
  const workspace = await openWorkspace(service, { people: names.map(person) });
  const owner = await signIn(service, { workspace: workspace.id, role: 'OWNER', email: 'owner@example.com' });
  const ask = async <Body>(method: string, path: string, status: number, body?: object): Promise<Body> => {
    const answer = await owner.call<Body>(`/api/v1/members/${path}`, { method, ...(body && { body }) });
    assert.equal(answer.status, status, `${method} ${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  return { workspace, owner, ask };
}

test('a person on legal hold cannot be erased, with a clear message, and can be after the release', async () => {
  const { workspace, owner, ask } = await open('ada');
  const [ada] = workspace.memberIds as [number];
  const placed = await ask<MemberRights>('PUT', `${ada}/hold`, 200, { reason: 'Case 2027-14' });
  assert.deepEqual([placed.hold?.reason, placed.hold?.placedBy.is], ['Case 2027-14', 'USER']);
  const { message } = await ask<{ message: string }>('POST', `${ada}/erasure`, 409);
  assert.match(message, /on legal hold\. Release it first/);
  const { obstacles } = await ask<ErasurePreview>('GET', `${ada}/erasure`, 200);
  assert.deepEqual(obstacles, [{ kind: 'LEGAL_HOLD', count: 1, amount: null, currency: null }]);
  await ask('DELETE', `${ada}/hold`, 204);
  await ask('DELETE', `${ada}/hold`, 409);
  assert.equal((await ask<MemberRights>('GET', `${ada}/rights`, 200)).hold, null);
  await ask('POST', `${ada}/erasure`, 200);
  const { body } = await owner.call<{ entries: { action: string; detail: object }[] }>('/api/v1/audit?size=20');
  const entries = body.entries
    .filter(({ action }) => action.startsWith('member.hold'))
    .map(({ action, detail }) => [action, detail]);
  assert.deepEqual(entries, [
    ['member.hold_released', {}],
    ['member.hold_placed', { reason: 'Case 2027-14' }],
  ]);
  for (const role of ['APPROVER', 'AUDITOR'] as const) {
    const other = await signIn(service, { workspace: workspace.id, role, email: `${role.toLowerCase()}@example.com` });
    const asked = { method: 'PUT', body: { reason: 'Case' } };
    assert.equal((await other.call(`/api/v1/members/${ada}/hold`, asked)).status, 403);
    assert.equal((await other.call(`/api/v1/members/${ada}/rights`)).status, 403);
  }
});

test('a hold on a record that was merged is on the person', async () => {
  const { workspace, ask } = await open('ada', 'adah');
  const [ada, adah] = workspace.memberIds as [number, number];
  await ask('PUT', `${adah}/hold`, 200, { reason: 'Case 2027-14' });
  await ask('POST', `${adah}/merge`, 200, { into: ada });
  assert.equal((await ask<MemberRights>('GET', `${ada}/rights`, 200)).hold?.reason, 'Case 2027-14');
  await ask('POST', `${ada}/erasure`, 409);
  await ask('DELETE', `${ada}/hold`, 204);
  await ask('POST', `${ada}/erasure`, 200);
});

test('texts that a person on hold wrote or received are not removed by age', async () => {
  const { workspace, people } = await openCompany(service, ['ana', 'ben', 'cyd'], { asksForApproval: false });
  const [ana, ben, cyd] = people.map(({ id }) => id) as [number, number, number];
  for (const [nth, to] of [ben, cyd].entries()) await people[0]?.give([to], { message: `Thanks ${nth}` });
  await people[2]?.give([ben], { message: 'Thanks 2' });
  await database.transaction((tx) =>
    tx.query(`insert into legal_holds values ($1, $2, 'Case', '{"is": "CLI", "id": null}', now())`, [
      workspace.id,
      ben,
    ]),
  );
  const due = retentions
    .filter(({ kind }) => kind === 'shoutout-texts')
    .map((one) => ({ ...one, runsAs: `${one.runsAs ?? one.kind} held`, usualDays: 0 }));
  await beginRetention(database, due);
  while (await runRetention(database, due));
  const rows = await database.query<{ description: string; body: object }>(
    `select a.description, s.body from activities a join shoutouts s using (workspace_id, number)
      where workspace_id = $1 order by number`,
    [workspace.id],
  );
  assert.deepEqual(
    rows.map(({ description, body }) => [description, Object.keys(body).includes('erased')]),
    [
      ['Thanks 0', false],
      ['…', true],
      ['Thanks 2', false],
    ],
    String(ana),
  );
});

test('people who have left are anonymized after the days that the workspace has set, and who has something open or is on hold waits', async () => {
  const { workspace, owner, ask } = await open('gone', 'recent', 'here', 'held', 'stopped');
  const [gone, recent, , held, stopped] = workspace.memberIds as number[];
  await ask('PUT', `${held}/hold`, 200, { reason: 'Case' });
  for (const [id, ago] of [
    [gone, 100],
    [recent, 10],
    [held, 100],
    [stopped, 100],
  ] as const) {
    const leftOn = new Date(Date.now() + -ago * 86_400_000).toISOString().slice(0, 10);
    await ask('POST', `${id}/leave`, 200, { leftOn });
  }
  const leavers: OwnRetention = { ...leaverRetention, runsAs: 'leavers of a test' };
  const run = async () => {
    await beginRetention(database, [leavers]);
    await database.query(`update retention_runs set next_at = now() where workspace_id = $1 and kind = $2`, [
      workspace.id,
      leavers.runsAs,
    ]);
    let removed = 0;
    for (let batch = await runRetention(database, [leavers]); batch; batch = await runRetention(database, [leavers]))
      removed += batch.removed;
    return removed;
  };
  const set = (days: number) =>
    database.transaction((tx) =>
      setRetention(tx, atTheCommandLine, [leavers], workspace.id, [{ kind: 'leavers', days }]),
    );
  await owner.call('/api/v1/settings', { method: 'PATCH', body: { erasureNeedsTwo: true } });
  assert.equal(await run(), 0, 'off by default');
  await set(90);
  const preview = await owner.call<{ due: { kind: string; rows: number }[] }>('/api/v1/settings/retention/preview');
  assert.equal(preview.body.due.find(({ kind }) => kind === 'leavers')?.rows, 2);
  assert.equal(await run(), 2);
  const { erasure } = await ask<ErasurePreview>('GET', `${gone}/erasure`, 200);
  assert.deepEqual([erasure?.state, erasure?.requestedBy.is], ['WAITING', 'SYSTEM']);
  assert.ok(Date.parse(String(erasure?.dueAt)) > Date.now() + 23 * 3_600_000, 'it can be stopped for a day');
  await ask('POST', `${stopped}/erasure/stop`, 200);
  assert.equal(await run(), 0, 'what was stopped is not asked for again at once');
  assert.equal((await ask<ErasurePreview>('GET', `${recent}/erasure`, 200)).erasure, null);
  await ask('DELETE', `${held}/hold`, 204);
  assert.equal(await run(), 1);
});

test('a person who has left and can still spend a gift waits', async () => {
  const { workspace, ask } = await open('gone');
  const [gone] = workspace.memberIds as [number];
  await workspace.submit([aGift({ recipient: { email: 'gone@example.com' } })]);
  await ask('POST', `${gone}/leave`, 200, { leftOn: '2025-01-31' });
  const leavers: OwnRetention = { ...leaverRetention, runsAs: 'leavers who wait', usualDays: 30 };
  await beginRetention(database, [leavers]);
  while (await runRetention(database, [leavers]));
  assert.equal((await ask<ErasurePreview>('GET', `${gone}/erasure`, 200)).erasure, null);
});
