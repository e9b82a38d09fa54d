import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readLoops } from '../../src/company/directory/manager-loops.ts';
import { addMembers } from '../../src/company/directory/save.ts';
import { inWorkspace } from '../../src/company/workspaces/lock.ts';
import type { CoveragePage, FairnessPage } from '../../src/ground/contract/coverage.ts';
import type { TeamActivityPage } from '../../src/ground/contract/report.ts';
import { openImports, pick } from '../support/imports.ts';
import { giftwire } from '../support/process.ts';
import { enterprise, openWithScim } from '../support/scim.ts';
import { startService } from '../support/service.ts';
import { signIn } from '../support/sign-in.ts';
import { openWorkspace, refusal } from '../support/workspace.ts';

const service = await startService();
const { database } = service;

const loopText = /must be another person, who does not report to this one/;

test('no change over the API closes a loop of managers', async () => {
  const workspace = await openWorkspace(service, { people: ['a', 'b', 'c'].map((one) => ({ employeeNumber: one })) });
  const [a = 0, b = 0, c = 0] = workspace.memberIds;
  const manage = (id: number, managerId: number) =>
    workspace.call(`/api/v1/members/${id}`, { method: 'PATCH', body: { managerId } });
  assert.equal((await manage(b, a)).status, 200);
  assert.equal((await manage(c, b)).status, 200);
  assert.match(refusal(await manage(a, c), 400), /managerId must be another person/);
  assert.match(refusal(await manage(a, a), 400), loopText);
  assert.deepEqual(await readLoops(database, workspace.id), []);
});

test('no change over SCIM closes a loop, and neither does a manager who is added later', async () => {
  const { scim, workspace } = await openWithScim(service);
  const led = (userName: string, value?: string) => ({
    userName,
    ...(value && { [enterprise]: { manager: { value } } }),
  });
  const ann = await scim.addUser(led('ann@example.com'));
  const ben = await scim.addUser(led('ben@example.com', ann.id));
  const path = `${enterprise}:manager`;
  const patched = await scim.patch(`/Users/${ann.id}`, [{ op: 'replace', path, value: ben.id }]);
  assert.deepEqual([patched.status, patched.body.scimType], [400, 'invalidValue']);
  assert.match(patched.body.detail, loopText);
  assert.equal((await scim.put(`/Users/${ann.id}`, led('ann@example.com', ben.id))).status, 400);
  const leaving = await scim.put(`/Users/${ann.id}`, { ...led('ann@example.com', ben.id), active: false });
  assert.deepEqual([leaving.status, leaving.body.active, leaving.body[enterprise]], [200, false, undefined]);
  // Cy waits for a manager who reports to Cy when they come.
  const cy = await scim.addUser(led('cy@example.com', 'di@example.com'));
  const di = await scim.addUser(led('di@example.com', cy.id));
  assert.equal(di[enterprise].manager.value, cy.id);
  assert.deepEqual((await scim.get(`/Users/${cy.id}`)).body[enterprise].manager, { value: 'di@example.com' });
  assert.deepEqual(await readLoops(database, workspace.id), []);
});

test('people who are added together cannot manage each other', async () => {
  const workspaceId = await service.addWorkspace();
  const together = inWorkspace(database, workspaceId, (tx) =>
    addMembers(tx, workspaceId, [{ managerId: 900_002 }, { managerId: 900_001 }], [900_001, 900_002]),
  );
  await assert.rejects(together, loopText);
});

test('a file closes no loop, and names the row that would, in a dry run too', async () => {
  for (const batchRows of [1, 2, 100]) {
    const { take, list, workspaceId } = await openImports(service, 'employeeNumber,manager\nold,\nboss,old\n');
    const file = 'employeeNumber,manager\na,b\nb,c\nc,a\nold,boss\nd,e\ne,old\n';
    const tried = await take(file, { batchRows, isDryRun: true });
    const taken = await take(file, { batchRows });
    const [ofThree, ofTwo, ...more] = taken.reasons.toSorted();
    assert.match(
      ofThree ?? '',
      /^[234]: the manager "[abc]" reports to the person of this row: the rest of it was taken$/,
    );
    assert.equal(ofTwo, '5: the manager "boss" reports to the person of this row: the rest of it was taken');
    assert.deepEqual([more, taken.withoutManager], [[], 2]);
    assert.deepEqual([tried.reasons, tried.counts], [taken.reasons, taken.counts], `${batchRows} rows at once`);
    assert.deepEqual(await readLoops(database, workspaceId), []);
    const managers = new Map(pick(await list(), 'number', 'manager') as [string, string | null][]);
    assert.equal(['a', 'b', 'c'].filter((one) => managers.get(one)).length, 2);
    assert.deepEqual(
      ['d', 'e', 'old', 'boss'].map((one) => managers.get(one) ?? null),
      ['e', 'old', null, 'old'],
    );
  }
});

test('a file may turn a reporting line round, in any sequence of its rows', async () => {
  const before = 'employeeNumber,manager\na,\nb,a\nc,b\nd,c\n';
  for (const rows of ['a,b\nb,c\nc,d\nd,NO_MANAGER\n', 'd,NO_MANAGER\nc,d\nb,c\na,b\n', 'b,c\nd,\na,b\nc,d\n'])
    for (const batchRows of [1, 100]) {
      const { take, list } = await openImports(service, before);
      const file = `employeeNumber,manager\n${rows}`;
      const tried = await take(file, { batchRows, isDryRun: true });
      const taken = await take(file, { batchRows });
      assert.deepEqual([taken.reasons, tried.reasons, tried.counts], [[], [], taken.counts], rows);
      assert.deepEqual(
        new Map(pick(await list(), 'number', 'manager') as [string, string | null][]),
        new Map([
          ['a', 'b'],
          ['b', 'c'],
          ['c', 'd'],
          ['d', null],
        ]),
        rows,
      );
    }
});

test('people in a loop that is there already count as people without a manager, and doctor names them', async () => {
  const people = ['max', 'ada', 'li'].map((name) => ({ email: `${name}@example.com`, firstName: name }));
  const workspace = await openWorkspace(service, { people });
  const [max = 0, ada = 0, li = 0] = workspace.memberIds;
  await workspace.change(ada, { managerId: max });
  await workspace.change(li, { managerId: ada });
  await database.query('update members set manager_id = $2 where id = $1', [max, ada]);
  await workspace.gift({ email: 'max@example.com' }, { email: 'li@example.com' });
  const manager = await signIn(service, { role: 'MANAGER', email: 'ada@example.com', workspace: workspace.id });
  const { activities } = (await manager.call<TeamActivityPage>('/api/v1/reports/teams/activity')).body;
  assert.deepEqual(
    activities.map(({ receiver }) => receiver.id),
    [li],
  );
  assert.equal((await manager.call(`/api/v1/members/${max}/activities`)).status, 404);
  const { managers } = await workspace.read<FairnessPage>('/api/v1/reports/fairness');
  assert.deepEqual(
    managers.map((one) => [one.manager.id, one.people]),
    [[ada, 1]],
  );
  const { groups } = await workspace.read<CoveragePage>('/api/v1/reports/coverage?by=manager');
  assert.deepEqual(
    new Map(groups.map(({ id, people: count }) => [id, count])),
    new Map([
      [null, 2],
      [ada, 1],
    ]),
  );
  assert.deepEqual(await readLoops(database, workspace.id), [[max, ada]]);
  const { code, stdout } = await giftwire(['doctor'], { DATABASE_URL: database.url });
  assert.equal(code, 25);
  const loop = `max (member ${max}) → ada (member ${ada}) → max (member ${max}) in workspace ${workspace.id}`;
  assert.ok(stdout.includes(`count as people without a manager: ${loop}`), stdout);
  await workspace.change(max, { managerId: null });
  assert.deepEqual(await readLoops(database, workspace.id), []);
});
