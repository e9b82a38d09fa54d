import assert from 'node:assert/strict';
import { test } from 'node:test';
import { updateWorkspace } from '../../src/company/workspaces/workspaces.ts';
import type { Shoutout } from '../../src/ground/contract/shoutout.ts';
import { checkServices } from '../support/books.ts';
import { eventually } from '../support/eventually.ts';
import { startService } from '../support/service.ts';
import { ada, bob, undecided } from '../support/shoutouts.ts';
import { aShoutout, openWorkspace, refusal } from '../support/workspace.ts';

const service = await startService();
const { database } = service;

test('where a workspace requires approval, a shoutout is pending, listed in the report and not counted', async () => {
  const workspace = await openWorkspace(service, { people: [ada], asksForApproval: true });
  const given = await workspace.given(aShoutout());
  assert.equal(given.status, 'PENDING');
  const [activity] = (await workspace.activity()).activities;
  assert.equal(activity?.status, 'PENDING');
  assert.equal((await workspace.lastRecognized()).totalElements, 0);
  assert.equal((await workspace.lastRecognized('?neverRecognized=true')).totalElements, 1);

  const approved = await workspace.decide(given.id, 'approve');
  assert.equal(approved.status, 200);
  assert.deepEqual({ ...approved.body, ...undecided }, { ...given, status: 'APPROVED' });
  assert.deepEqual((await workspace.decide(given.id, 'approve')).body, approved.body);
  assert.match(refusal(await workspace.decide(given.id, 'decline'), 409), /approved already/);
  const { teamMembers } = await workspace.lastRecognized();
  assert.deepEqual(
    teamMembers.map(({ lastDate, type }) => [lastDate, type]),
    [[given.createdOn.slice(0, 10), 'SHOUTOUT']],
  );
  assert.equal((await workspace.lastRecognized('?neverRecognized=true')).totalElements, 0);
});

test('a declined shoutout is removed from the reports', async () => {
  const workspace = await openWorkspace(service, { people: [ada], asksForApproval: true });
  const [one, two] = [await workspace.given(aShoutout({ message: 'one' })), await workspace.given(aShoutout())];
  const declined = await workspace.decide(one.id, 'decline');
  assert.equal(declined.status, 200);
  assert.deepEqual({ ...declined.body, ...undecided }, { ...one, status: 'DECLINED' });
  assert.deepEqual((await workspace.decide(one.id, 'decline')).body, declined.body);
  assert.match(refusal(await workspace.decide(one.id, 'approve'), 409), /declined already/);
  assert.deepEqual(await workspace.read(`/api/v1/shoutouts/${one.id}`), declined.body);
  const { activities, totalElements, totalPages } = await workspace.activity('?size=1');
  assert.deepEqual([totalElements, totalPages, activities[0]?.description], [1, 1, 'Well done!']);
  assert.equal((await workspace.lastRecognized('?neverRecognized=true')).totalElements, 1);
  assert.equal((await workspace.given(aShoutout())).id, two.id + 1, 'its number is not used again');
});

test('where no approval is required, a shoutout is approved at once', async () => {
  const workspace = await openWorkspace(service);
  const { id } = await workspace.given(aShoutout());
  assert.equal((await workspace.decide(id, 'approve')).status, 200);
  refusal(await workspace.decide(id, 'decline'), 409);
  await database.transaction((tx) => updateWorkspace(tx, workspace.id, { asksForApproval: true }));
  const pending = await eventually(
    () => workspace.given(aShoutout()),
    ({ status }) => status === 'PENDING',
  );
  assert.equal((await workspace.shoutouts()).shoutouts[0]?.id, pending.id);
});

test('an approved shoutout counts on the day it was given, and a later recognition stays the last', async () => {
  const workspace = await openWorkspace(service, { people: [ada, bob], asksForApproval: true });
  const last = async () =>
    new Map(
      (await workspace.lastRecognized()).teamMembers.map(({ teamMember, lastDate, type }) => [
        teamMember.firstName,
        `${type} ${lastDate}`,
      ]),
    );
  const [forAda, forBob] = [
    await workspace.given(aShoutout()),
    await workspace.given(aShoutout({ recipient: { employeeNumber: '2' } })),
  ];
  await workspace.passDays(3);
  const dayOf = async (id: number) =>
    (await workspace.read<Shoutout>(`/api/v1/shoutouts/${id}`)).createdOn.slice(0, 10);
  await workspace.decide(forAda.id, 'approve');
  assert.deepEqual(await last(), new Map([['Ada', `SHOUTOUT ${await dayOf(forAda.id)}`]]));
  await workspace.gift({ employeeNumber: '1' }, { employeeNumber: '2' });
  const today = (await workspace.activity('?size=1')).activities[0]?.createdOn.slice(0, 10);
  await workspace.decide(forBob.id, 'approve');
  const both = new Map(['Ada', 'Bob'].map((name) => [name, `GIFT ${today}`]));
  assert.deepEqual(await last(), both);
  const later = await workspace.given(aShoutout());
  assert.deepEqual(await last(), both);
  await workspace.decide(later.id, 'approve');
  assert.equal((await last()).get('Ada'), `SHOUTOUT ${await dayOf(later.id)}`);
});

test('a decision may have a body or none', async () => {
  const workspace = await openWorkspace(service, { asksForApproval: true });
  const ways = [{}, { headers: { 'Content-Type': 'application/json' } }, { body: {} }];
  for (const way of ways)
    for (const verb of ['approve', 'decline'] as const) {
      const { id } = await workspace.given(aShoutout());
      const { status, body } = await workspace.decide(id, verb, way);
      assert.equal(status, 200, `${JSON.stringify(way)}: ${JSON.stringify(body)}`);
    }
});

test('of opposite decisions at once exactly one is taken, and equal ones count once', async () => {
  const workspace = await openWorkspace(service, { people: [ada], asksForApproval: true });
  let approvals = 0;
  for (let round = 0; round < 12; round++) {
    const { id } = await workspace.given(aShoutout());
    const verbs = Array.from({ length: 8 }, (_, nth) =>
      (nth + round) % 2 ? ('approve' as const) : ('decline' as const),
    );
    const answers = await Promise.all(verbs.map(async (verb) => ({ verb, ...(await workspace.decide(id, verb)) })));
    const winners = new Set(answers.filter(({ status }) => status === 200).map(({ verb }) => verb));
    assert.equal(winners.size, 1);
    assert.equal(answers.filter(({ status }) => status === 409).length, 4);
    if (winners.has('approve')) approvals++;
  }
  const [member] = await database.query<{ count: number }>(
    'select recognition_count as count from members where workspace_id = $1 and employee_number = $2',
    [workspace.id, '1'],
  );
  assert.equal(member?.count, approvals);
  assert.equal((await workspace.activity()).totalElements, approvals);
});

test('after all of this the books agree, and no request failed', () => checkServices(service));

test('the audit log names the recipient of a decided shoutout, and of a private one says nothing', async () => {
  const workspace = await openWorkspace(service, { people: [ada], asksForApproval: true });
  const open = await workspace.given(aShoutout());
  const hidden = await workspace.given(aShoutout({ isPrivate: true }));
  await workspace.decide(open.id, 'approve');
  await workspace.decide(hidden.id, 'decline');
  const entries = await database.query(
    `select action, subject_name as name from audit_log where workspace_id = $1 and action like 'shoutout.%' order by id`,
    [workspace.id],
  );
  const { firstName, lastName, email } = open.receiver;
  assert.deepEqual(entries, [
    { action: 'shoutout.approved', name: `${firstName} ${lastName}`.trim() || email },
    { action: 'shoutout.declined', name: null },
  ]);
});
