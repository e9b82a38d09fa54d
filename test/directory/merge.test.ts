import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findMember } from '../../src/company/directory/members.ts';
import { joinTeams } from '../../src/company/directory/teams.ts';
import { inWorkspace } from '../../src/company/workspaces/lock.ts';
import type { MemberPage } from '../../src/ground/contract/member.ts';
import type { LastRecognizedPage, TeamActivityPage } from '../../src/ground/contract/report.ts';
import { importAll } from '../support/imports.ts';
import { aGift } from '../support/orders.ts';
import { giftwire } from '../support/process.ts';
import { startService } from '../support/service.ts';
import { openWorkspace } from '../support/workspace.ts';

const service = await startService();
const { database } = service;
const env = { DATABASE_URL: database.url };

/** Opens a workspace with people from CSV, whom its functions name by address or number. */
async function openPeople(people: string) {
  const workspace = await openWorkspace(service);
  const { id, tokenId, read, submit, finished } = workspace;
  await importAll(database, id, people);
  const who = (name: string) => findMember(database, id, name);
  return {
    id,
    tokenId,
    who,
    merge: async (from: string, into: string) => workspace.merge(await who(from), await who(into)),
    async gift(recipient: object, message = 'Thank you!') {
      const { requestStatus } = await finished(await submit([aGift({ recipient, message })]));
      assert.equal(requestStatus, 'COMPLETED');
    },
    members: async () => (await read<MemberPage>('/api/v1/members?includeInactive=true')).members,
    async recognized() {
      const page = await read<LastRecognizedPage>('/api/v1/reports/members/last-recognized?includeInactive=true');
      assert.equal(page.totalElements, page.teamMembers.length);
      return page.teamMembers.map(({ teamMember }) => teamMember.email);
    },
    async neverRecognized() {
      const page = await read<LastRecognizedPage>('/api/v1/reports/members/last-recognized?neverRecognized=true');
      assert.equal(page.totalElements, page.teamMembers.length);
      return page.teamMembers.map(({ teamMember }) => teamMember.email);
    },
    async receivers() {
      const { activities } = await read<TeamActivityPage>('/api/v1/reports/teams/activity');
      return activities.map(({ receiver, description }) => `${description} ${receiver.id}`);
    },
    /** Compares the counts by day with the members. */
    async checkDays() {
      const days = await database.query(
        `select coalesce(d.day, m.day)::text as day, d.members, d.leavers, m.members as "shouldBe", m.leavers as gone
           from (select * from recognition_days where workspace_id = $1 and (members <> 0 or leavers <> 0)) d
           full join (select coalesce(last_recognized_on, '-infinity') as day,
                             count(*) filter (where left_at is null) as members,
                             count(*) filter (where left_at is not null) as leavers
                        from members where workspace_id = $1 and not is_integration and merged_into is null
                       group by 1) m using (day)
          where (d.members, d.leavers) is distinct from (m.members, m.leavers)`,
        [id],
      );
      assert.deepEqual(days, []);
    },
    async counts() {
      return database.query<{ email: string; count: number; number: number | null }>(
        `select email, recognition_count as count, last_recognized_number as number
           from members where workspace_id = $1 and not is_integration and merged_into is null order by id`,
        [id],
      );
    },
  };
}

test('two records become one person, with the recognition of both', async () => {
  const { id, who, gift, merge, members, recognized, neverRecognized, receivers, counts, checkDays } = await openPeople(
    'email,employeeNumber,firstName,department\na@example.com,,Ada,\nb@example.com,7,,Lab\nc@example.com,,,\n',
  );
  const kept = await who('a@example.com');
  const given = await who('7');
  await gift({ email: 'a@example.com' }, 'one');
  await gift({ email: 'c@example.com' }, 'two');
  await gift({ email: 'b@example.com' }, 'three');
  await merge('7', 'a@example.com');

  assert.deepEqual(await recognized(), ['a@example.com', 'c@example.com']);
  assert.deepEqual(await neverRecognized(), []);
  assert.deepEqual(await counts(), [
    { email: 'a@example.com', count: 2, number: 3 },
    { email: 'c@example.com', count: 1, number: 2 },
  ]);
  assert.deepEqual(await receivers(), [`three ${kept}`, `two ${await who('c@example.com')}`, `one ${kept}`]);
  const [entry] = await database.query<{ detail: object }>(
    `select detail from audit_log where workspace_id = $1 and action = 'member.merged'`,
    [id],
  );
  assert.deepEqual(entry?.detail, { from: given, fromName: 'b@example.com' }, 'the audit log names the merged record');
  const [person, ...others] = await members();
  assert.equal(others.length, 1);
  assert.deepEqual(
    [person?.id, person?.email, person?.employeeNumber, person?.firstName, person?.department],
    [kept, 'a@example.com', '7', 'Ada', 'Lab'],
  );
  await checkDays();
});

test('the last recognition is the later of the two, whichever record had it', async () => {
  for (const [from, into] of [
    ['a', 'b'],
    ['b', 'a'],
  ] as const) {
    const { gift, merge, counts, checkDays } = await openPeople('email\na@example.com\nb@example.com\n');
    await gift({ email: 'a@example.com' });
    await gift({ email: 'b@example.com' });
    await merge(`${from}@example.com`, `${into}@example.com`);
    assert.deepEqual(await counts(), [{ email: `${into}@example.com`, count: 2, number: 2 }]);
    await checkDays();
  }
});

test('addresses and numbers of merged records resolve to the surviving one, through any chain of merges', async () => {
  const { who, gift, merge, counts, receivers, recognized, checkDays } = await openPeople(
    'email,employeeNumber\na@example.com,1\nb@example.com,2\nc@example.com,3\n',
  );
  const kept = await who('c@example.com');
  await gift({ email: 'a@example.com' }, 'before');
  await merge('a@example.com', 'b@example.com');
  await merge('b@example.com', 'c@example.com');
  const names = ['A@example.com', 'b@example.com', 'c@example.com', '1', '2', '3'];
  assert.deepEqual(
    await Promise.all(names.map(who)),
    names.map(() => kept),
  );
  await gift({ email: 'A@example.com' }, 'by address');
  await gift({ employeeNumber: '2' }, 'by number');
  assert.deepEqual(
    await receivers(),
    ['by number', 'by address', 'before'].map((text) => `${text} ${kept}`),
  );
  assert.deepEqual(await recognized(), ['c@example.com']);
  assert.deepEqual(await counts(), [{ email: 'c@example.com', count: 3, number: 3 }]);
  await checkDays();
});

test('a merge moves direct reports, teams and tokens to the surviving record', async () => {
  const { id, who, tokenId, merge, members } = await openPeople(
    [
      'email,manager,team',
      'boss@example.com,,',
      'old@example.com,boss@example.com,Blue',
      'new@example.com,,',
      'report@example.com,old@example.com,',
    ].join('\n'),
  );
  const [from, into] = await Promise.all([who('old@example.com'), who('new@example.com')]);
  const acting = await service.addToken({ workspaces: [id], actsAs: 'old@example.com' });
  await merge('old@example.com', 'new@example.com');
  const byEmail = new Map((await members()).map((member) => [member.email, member]));
  assert.equal(byEmail.get('new@example.com')?.manager?.email, 'boss@example.com');
  assert.equal(byEmail.get('new@example.com')?.team.name, 'Blue');
  assert.equal(byEmail.get('report@example.com')?.manager?.id, into);
  assert.ok(!byEmail.has('old@example.com'));
  const bound = await database.query(
    'select member_id = $3 as moved from api_token_workspaces where workspace_id = $1 and token_id in ($2, $4) order by token_id',
    [id, tokenId, into, acting.id],
  );
  assert.deepEqual(bound, [{ moved: false }, { moved: true }]);
  assert.deepEqual(
    await database.query('select 1 from team_members where workspace_id = $1 and member_id = $2', [id, from]),
    [],
  );
});

test('the surviving record keeps its team, and does not become its own manager', async () => {
  const { id, who, merge, members } = await openPeople(
    'email,manager,team\nold@example.com,,Blue\nnew@example.com,old@example.com,Red\n',
  );
  const [{ id: green } = { id: 0 }] = await database.query<{ id: number }>(
    `insert into teams (workspace_id, name) values ($1, 'Green') returning id`,
    [id],
  );
  const old = await who('old@example.com');
  await inWorkspace(database, id, (tx) => joinTeams(tx, id, [{ memberId: old, teamId: green }]));
  await merge('old@example.com', 'new@example.com');
  assert.deepEqual(
    (await members()).map(({ email, manager, team }) => [email, manager, team.name]),
    [['new@example.com', null, 'Red']],
  );
});

test('a merge makes nobody a manager above themselves', async () => {
  const managersAfter = async (people: string[]) => {
    const { merge, members } = await openPeople(['email,manager', ...people].join('\n'));
    await merge('from@example.com', 'into@example.com');
    const name = (email = '') => email.slice(0, email.indexOf('@'));
    return (await members()).map(({ email, manager }) => `${name(email ?? '')} under ${name(manager?.email ?? '@')}`);
  };
  const under = (person: string, manager = '') => `${person}@example.com,${manager && `${manager}@example.com`}`;
  assert.deepEqual(
    await managersAfter([under('into'), under('x', 'into'), under('y', 'x'), under('from', 'y')]),
    ['into under ', 'x under into', 'y under x'],
    'the manager of the other record reports to the surviving one',
  );
  assert.deepEqual(
    await managersAfter([under('from'), under('x', 'from'), under('z', 'from'), under('y', 'x'), under('into', 'y')]),
    ['x under ', 'z under into', 'y under x', 'into under y'],
    'the surviving record reports to somebody below the other one',
  );
  assert.deepEqual(
    await managersAfter([under('boss'), under('x', 'boss'), under('from', 'x'), under('into', 'from')]),
    ['boss under ', 'x under boss', 'into under x'],
  );
});

test('an import that names a merged record changes the surviving one', async () => {
  const { id, merge, members } = await openPeople('email\nold@example.com\nnew@example.com\n');
  await merge('old@example.com', 'new@example.com');
  await importAll(database, id, 'email,department,active\nold@example.com,Lab,no\n');
  assert.deepEqual(
    (await members()).map(({ email, department, active }) => [email, department, active]),
    [['new@example.com', 'Lab', false]],
  );
});

test('the merge command shows the surviving record, and refuses anything but two people', async () => {
  const { id, who } = await openPeople('email,employeeNumber,lastName\na@example.com,1,Lovelace\nb@example.com,,\n');
  const kept = await who('b@example.com');
  const flags = ['--workspace', String(id)];
  const asked = await giftwire(['member', 'merge', '1', 'B@example.com', ...flags], env);
  assert.equal(asked.code, 2);
  assert.equal(asked.stdout, '');
  assert.match(
    asked.stderr,
    /Given up:[\s\S]*a@example\.com[\s\S]*Remains:[\s\S]*b@example\.com[\s\S]*takes over:[\s\S]*Lovelace/,
  );
  assert.match(asked.stderr, /Nothing was changed.*Add --yes/);
  assert.notEqual(await who('a@example.com'), kept);
  const merged = await giftwire(['member', 'merge', '1', 'B@example.com', ...flags, '--yes', '--json'], env);
  assert.equal(merged.code, 0, merged.stderr);
  assert.deepEqual(JSON.parse(merged.stdout), {
    id: kept,
    email: 'b@example.com',
    employeeNumber: '1',
    firstName: '',
    lastName: 'Lovelace',
    department: null,
    costCentre: null,
    location: null,
    currency: null,
    pictureUrl: null,
    country: null,
    hireDate: null,
    birthday: null,
    leaveStartsOn: null,
    leaveEndsOn: null,
    hiddenDays: null,
    custom: null,
    preferredName: null,
    language: null,
    timeZone: null,
    phone: null,
    leavesOn: null,
    managerId: null,
    team: 'Everyone',
    active: true,
  });
  const again = await giftwire(['members', 'merge', 'a@example.com', '1', ...flags], env);
  assert.equal(again.code, 2);
  assert.match(again.stderr, /same record already/);
  const stranger = await giftwire(['members', 'merge', 'z@example.com', '1', ...flags], env);
  assert.equal(stranger.code, 1);
  assert.match(stranger.stderr, /has no member "z@example.com"/);
});
