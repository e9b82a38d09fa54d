import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { LastRecognizedPage, TeamActivityPage } from '../../src/contract/report.ts';
import { createTestDatabase } from '../support/database.ts';
import { recount } from '../support/derived.ts';
import { aGift, anOrder } from '../support/orders.ts';
import { startService } from '../support/service.ts';

interface Person {
  email?: string | null;
  employeeNumber?: string | null;
  firstName?: string;
  lastName?: string;
  department?: string | null;
  costCentre?: string | null;
  location?: string | null;
  currency?: string | null;
  pictureUrl?: string | null;
  /** Index of the manager among the people. */
  manager?: number | null;
  lastDate?: string | null;
  type?: string | null;
}

interface Shoutout {
  sender: number;
  receiver: number;
  at: string;
  text?: string;
  status?: 'PENDING' | 'APPROVED';
  reasonId?: number | null;
  isPrivate?: boolean;
}

const service = await startService({
  database: await createTestDatabase({
    mayDisagree: 'people are given dates of recognition without activities behind them',
  }),
});
const { database } = service;

async function openWorkspace(actsAs?: string, people: Person[] = []) {
  const id = await service.addWorkspace();
  const memberIds = await addPeople(id, people);
  const { token } = await service.addToken({ workspaces: [id], ...(actsAs !== undefined && { actsAs }) });
  const read = async <Body>(path: string): Promise<Body> => {
    const { status, body } = await service.call<Body>(path, { token, workspace: id });
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  };
  return {
    id,
    token,
    memberIds,
    activity: (query = '') => read<TeamActivityPage>(`/api/v1/reports/teams/activity${query}`),
    lastRecognized: (query = '') => read<LastRecognizedPage>(`/api/v1/reports/members/last-recognized${query}`),
    refused: async (query: string) => {
      const path = `/api/v1/reports/members/last-recognized${query}`;
      const { status, body } = await service.call(path, { token, workspace: id });
      assert.equal(status, 400, query);
      assert.deepEqual(Object.keys(body).sort(), ['message', 'status', 'type']);
      assert.equal(body.type, 'invalid_field');
      return body.message as string;
    },
    async gift(...recipients: object[]) {
      const order = anOrder({ orderItems: recipients.map((recipient) => aGift({ recipient })) });
      const { body } = await service.call('/api/v1/orders', { method: 'POST', token, workspace: id, body: order });
      for (;;) {
        const status = await service.call(`/api/v1/orders/status/${body.requestId}`, { token, workspace: id });
        if (status.body.requestStatus !== 'ACCEPTED') return;
      }
    },
  };
}

async function addPeople(workspaceId: number, people: Person[]): Promise<number[]> {
  const ids: number[] = [];
  for (const person of people) {
    const [row] = await database.query<{ id: number }>(
      `insert into members (workspace_id, team_id, email, employee_number, first_name, last_name, department,
                            cost_centre, location, currency, picture_url, manager_id,
                            recognition_count, last_recognized_on, last_recognized_by, last_recognized_number)
       select $1, default_team_id, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11,
              case when $12::date is null then 0 else 1 end, $12::date, $13, case when $12::date is not null then 1 end
         from workspaces where id = $1
       returning id`,
      [
        workspaceId,
        person.email ?? null,
        person.employeeNumber ?? null,
        person.firstName ?? '',
        person.lastName ?? '',
        person.department ?? null,
        person.costCentre ?? null,
        person.location ?? null,
        person.currency ?? null,
        person.pictureUrl ?? null,
        typeof person.manager === 'number' ? (ids[person.manager] ?? null) : null,
        person.lastDate ?? null,
        person.lastDate ? (person.type ?? 'GIFT') : null,
      ],
    );
    ids.push(row?.id as number);
  }
  await recount(database, workspaceId);
  return ids;
}

async function addShoutouts(workspaceId: number, shoutouts: Shoutout[]): Promise<void> {
  for (const { sender, receiver, at, text = 'Well done', ...rest } of shoutouts)
    await database.query(
      `with counter as (
         update activity_counters set total = total + 1, latest = $4 where workspace_id = $1 returning total)
       insert into activities (workspace_id, number, type, status, sender_id, receiver_id, reason_id, is_private,
                               description, created_on)
       select $1, total, 'SHOUTOUT', $5, $2, $3, $6, $7, $8, $4::timestamptz from counter`,
      [
        workspaceId,
        sender,
        receiver,
        at,
        rest.status ?? 'APPROVED',
        rest.reasonId ?? null,
        rest.isPrivate ?? false,
        text,
      ],
    );
}

const ada: Person = {
  email: 'ada@example.com',
  employeeNumber: '1',
  firstName: 'Ada',
  lastName: 'Lovelace',
  pictureUrl: 'https://example.com/ada.jpg',
};

test('a team activity record has exactly its fields, and so have its people', async () => {
  const { id, memberIds, activity } = await openWorkspace('1', [ada, { employeeNumber: '2' }]);
  const [first, second] = memberIds as [number, number];
  await addShoutouts(id, [{ sender: first, receiver: second, at: '2026-03-04T05:06:07.08Z', isPrivate: true }]);
  const [workspace] = await database.query<Record<string, number>>(
    `select w.account_id as account, w.default_team_id as team, w.default_reason_id as reason from workspaces w where id = $1`,
    [id],
  );
  const picture = 'https://example.com/ada.jpg';
  assert.deepEqual(await activity(), {
    page: 0,
    size: 20,
    totalElements: 1,
    totalPages: 1,
    activities: [
      {
        status: 'APPROVED',
        sender: {
          id: first,
          email: 'ada@example.com',
          firstName: 'Ada',
          lastName: 'Lovelace',
          avatar: picture,
          'the service': picture,
          self: true,
        },
        receiver: { id: second, email: '', firstName: '', lastName: '', avatar: '', 'the service': '', self: false },
        createdOn: '2026-03-04T05:06:07.080000',
        description: 'Well done',
        reason: { id: workspace?.reason, description: 'Thank you' },
        isPrivate: true,
        type: 'SHOUTOUT',
        account: workspace?.account,
        team: workspace?.team,
      },
    ],
  });
});

test('a gift is an activity of its own, with the message as its description', async () => {
  const { activity, gift } = await openWorkspace();
  await gift({ email: 'new@example.com', firstName: 'New' }, { employeeNumber: '9' });
  const { activities, totalElements } = await activity();
  assert.equal(totalElements, 2);
  for (const { type, status, description, sender, receiver, reason, isPrivate } of activities) {
    assert.deepEqual([type, status, description, isPrivate], ['GIFT', 'APPROVED', 'Thank you!', false]);
    assert.deepEqual([sender.self, receiver.self, sender.firstName], [true, false, 'Payroll']);
    assert.equal(reason.description, 'Thank you');
  }
});

test('an activity has its own reason, else the default of the workspace; its team is that of the receiver', async () => {
  const { id, memberIds, activity } = await openWorkspace('1', [ada, { employeeNumber: '2' }]);
  const [first, second] = memberIds as [number, number];
  const [reason] = await database.query<{ id: number }>(
    `insert into reasons (workspace_id, description) values ($1, 'Teamwork') returning id`,
    [id],
  );
  const [team] = await database.query<{ id: number }>(
    `insert into teams (workspace_id, name) values ($1, 'Voice') returning id`,
    [id],
  );
  await database.query('update members set team_id = $2 where id = $1', [second, team?.id]);
  await addShoutouts(id, [
    { sender: first, receiver: second, at: '2026-01-01Z', reasonId: reason?.id as number, status: 'PENDING' },
    { sender: second, receiver: first, at: '2026-01-02Z' },
  ]);
  const { activities } = await activity();
  assert.deepEqual(activities[1]?.reason, { id: reason?.id, description: 'Teamwork' });
  assert.equal(activities[0]?.reason.description, 'Thank you');
  assert.deepEqual(
    activities.map(({ status }) => status),
    ['APPROVED', 'PENDING'],
  );
  assert.equal(activities[1]?.team, team?.id);
  assert.notEqual(activities[0]?.team, team?.id);
  for (const { account, team: of } of activities) assert.ok(Number.isInteger(account) && Number.isInteger(of));
});

test('self is true exactly for the member behind the calling token', async () => {
  const people = [ada, { email: 'bob@example.com', employeeNumber: 'N2' }, { employeeNumber: 'N3' }];
  const { id, memberIds } = await openWorkspace('1', people);
  const [one, two, three] = memberIds as [number, number, number];
  await addShoutouts(id, [
    { sender: one, receiver: two, at: '2026-01-01Z' },
    { sender: two, receiver: three, at: '2026-01-02Z' },
    { sender: three, receiver: one, at: '2026-01-03Z' },
    { sender: two, receiver: two, at: '2026-01-04Z' },
  ]);
  for (const [actsAs, self] of [
    ['ADA@example.com', one],
    ['N2', two],
    [String(three), three],
    [undefined, 0],
  ] as const) {
    const { token } = await service.addToken({ workspaces: [id], ...(actsAs && { actsAs }) });
    const { body } = await service.call<TeamActivityPage>('/api/v1/reports/teams/activity', { token, workspace: id });
    assert.equal(body.activities.length, 4);
    for (const user of body.activities.flatMap(({ sender, receiver }) => [sender, receiver]))
      assert.equal(user.self, user.id === self);
  }
});

test('team activity is newest first with exact totals, and any page size yields every element once', async () => {
  const { id, memberIds, activity, gift } = await openWorkspace('1', [ada, { employeeNumber: '2' }]);
  const [first, second] = memberIds as [number, number];
  assert.deepEqual(await activity(), { page: 0, size: 20, totalElements: 0, totalPages: 0, activities: [] });
  await addShoutouts(
    id,
    Array.from({ length: 23 }, (_, nth) => ({
      sender: first,
      receiver: second,
      at: new Date(Date.UTC(2026, 0, 1, 0, 0, nth >> 1)).toISOString(),
      text: `shoutout ${nth}`,
    })),
  );
  await gift({ employeeNumber: '2' }, { employeeNumber: '1' });
  const everything = (await activity('?size=1000')).activities;
  assert.deepEqual(
    everything.slice(2).map(({ description }) => description),
    Array.from({ length: 23 }, (_, nth) => `shoutout ${22 - nth}`),
  );
  const times = everything.map(({ createdOn }) => createdOn);
  assert.deepEqual(times, times.toSorted().reverse());
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 30 }), async (size) => {
      const walked = [];
      const pages = Math.ceil(25 / size);
      for (let page = 0; page <= pages; page++) {
        const { activities, ...fields } = await activity(`?page=${page}&size=${size}`);
        assert.deepEqual(fields, { page, size, totalElements: 25, totalPages: pages });
        assert.equal(activities.length, Math.max(0, Math.min(size, 25 - page * size)));
        walked.push(...activities);
      }
      assert.deepEqual(walked, everything);
    }),
    { numRuns: 12 },
  );
});

test('a page far past the end is empty', async () => {
  const { activity, lastRecognized, gift } = await openWorkspace();
  await gift({ employeeNumber: '2' });
  for (const page of [1, 1_000_000, Number.MAX_SAFE_INTEGER])
    for (const size of [1, 1000]) {
      const fields = { page, size, totalElements: 1, totalPages: 1 };
      assert.deepEqual(await activity(`?page=${page}&size=${size}`), { ...fields, activities: [] });
      assert.deepEqual(await lastRecognized(`?page=${page}&size=${size}`), { ...fields, teamMembers: [] });
    }
});

test('last recognized has exactly its fields, the latest first and then by id', async () => {
  const { lastRecognized } = await openWorkspace(undefined, [
    { ...ada, lastDate: '2026-01-05', type: 'SHOUTOUT' },
    { employeeNumber: '2', lastDate: '2026-03-01', type: 'GIFT' },
    { employeeNumber: '3', firstName: 'Never' },
    { email: 'd@example.com', lastDate: '2026-01-05', type: 'GIFT' },
    { email: 'e@example.com', lastDate: '2025-12-31', type: 'GIFT' },
  ]);
  const named = (email: string, firstName = '', lastName = '') => ({ email, firstName, lastName });
  assert.deepEqual(await lastRecognized(), {
    page: 0,
    size: 20,
    totalElements: 4,
    totalPages: 1,
    teamMembers: [
      { teamMember: named(''), lastDate: '2026-03-01', type: 'GIFT' },
      { teamMember: named('ada@example.com', 'Ada', 'Lovelace'), lastDate: '2026-01-05', type: 'SHOUTOUT' },
      { teamMember: named('d@example.com'), lastDate: '2026-01-05', type: 'GIFT' },
      { teamMember: named('e@example.com'), lastDate: '2025-12-31', type: 'GIFT' },
    ],
  });
  assert.deepEqual(await lastRecognized('?neverRecognized=false'), await lastRecognized());
});

test('neverRecognized gives the people without any recognition, and no integration among them', async () => {
  const { lastRecognized, gift } = await openWorkspace(undefined, [
    { employeeNumber: '1', firstName: 'One', department: 'Care' },
    { employeeNumber: '2', lastDate: '2026-01-01' },
    { employeeNumber: '3', firstName: 'Three' },
  ]);
  const never = async (query = '') => (await lastRecognized(`?neverRecognized=true${query}`)).teamMembers;
  const of = (firstName: string) => ({
    teamMember: { email: '', firstName, lastName: '' },
    lastDate: null,
    type: null,
  });
  assert.deepEqual(await never(), [of('One'), of('Three')]);
  assert.deepEqual(await never('&department=care'), [of('One')]);
  await gift({ employeeNumber: '1' });
  assert.deepEqual(await never(), [of('Three')]);
  assert.equal((await lastRecognized()).totalElements, 2);
});

const boss = { email: 'Boss@Example.com', employeeNumber: 'M-é1', lastDate: '2026-01-01' };
const office = {
  costCentre: 'CC + 100/é',
  department: 'Recherche & Développement',
  location: 'Montréal',
  currency: 'CAD',
  employeeNumber: 'No 7a%_',
  lastDate: '2026-02-02',
  manager: 0,
};

test('each filter is an exact match that ignores case, also beyond ASCII', async () => {
  const { lastRecognized, memberIds } = await openWorkspace(undefined, [boss, { ...office, email: 'hit@example.com' }]);
  const hits = async (name: string, value: string) =>
    (await lastRecognized(`?${new URLSearchParams({ [name]: value })}`)).teamMembers.map((m) => m.teamMember.email);
  for (const name of ['costCentre', 'department', 'location', 'currency', 'employeeNumber'] as const) {
    const value = office[name];
    for (const same of [value, value.toUpperCase(), value.toLowerCase()])
      assert.deepEqual(await hits(name, same), ['hit@example.com'], `${name} ${same}`);
    for (const other of [`${value} `, ` ${value}`, value.slice(1), value.slice(0, -1), '%', '_', '', 'unknown'])
      assert.deepEqual(await hits(name, other), [], `${name} ${other}`);
  }
  for (const manager of ['boss@example.com', 'BOSS@EXAMPLE.COM', 'm-É1', String(memberIds[0])])
    assert.deepEqual(await hits('manager', manager), ['hit@example.com'], manager);
  for (const manager of ['hit@example.com', String(memberIds[1]), '0', '-1', 'nobody', '9'.repeat(40), ''])
    assert.deepEqual(await hits('manager', manager), [], manager);
});

test('filter values are decoded from percent-encoding and plus signs, and combine with AND', async () => {
  const { lastRecognized } = await openWorkspace(undefined, [
    boss,
    { ...office, email: 'a@example.com' },
    { ...office, employeeNumber: '8', email: 'b@example.com', location: 'Toronto' },
  ]);
  const count = async (query: string) => (await lastRecognized(query)).totalElements;
  assert.equal(await count('?costCentre=CC+%2B+100%2F%C3%A9'), 2);
  assert.equal(await count('?costCentre=CC%20%2B%20100/%C3%89&location=MONTR%C3%89AL'), 1);
  assert.equal(await count('?department=recherche+%26+d%C3%A9veloppement&currency=cad&manager=boss@example.com'), 2);
  assert.equal(await count('?location=Toronto&employeeNumber=8&manager=m-%C3%A91&neverRecognized=false'), 1);
  assert.equal(await count('?location=Toronto&employeeNumber=No+7a%25_'), 0);
});

test('an unknown value gives an empty page with totals 0', async () => {
  const { lastRecognized } = await openWorkspace(undefined, [{ ...office, manager: null }]);
  for (const name of ['costCentre', 'department', 'location', 'currency', 'employeeNumber', 'manager'])
    for (const never of ['', '&neverRecognized=true'])
      assert.deepEqual(await lastRecognized(`?${name}=unknown&page=3&size=7${never}`), {
        page: 3,
        size: 7,
        totalElements: 0,
        totalPages: 0,
        teamMembers: [],
      });
});

test('a filter that is given twice or holds NUL is refused by name', async () => {
  const { refused } = await openWorkspace();
  for (const name of ['costCentre', 'department', 'location', 'currency', 'employeeNumber', 'manager']) {
    for (const query of [`?${name}=a%00b`, `?${name}=a&${name}=b`, `?${name}=a&${name}=a`])
      assert.match(await refused(query), new RegExp(`: ${name} `), query);
  }
  assert.match(await refused('?neverRecognized=yes'), /: neverRecognized /);
  assert.match(await refused('?neverRecognized=true&neverRecognized=true'), /: neverRecognized /);
  assert.equal(await refused('?size=1001'), 'The input could be invalid: size must be from 1 to 1000');
  const message = await refused('?location=%00&size=0&page=x');
  for (const name of ['location', 'size', 'page']) assert.match(message, new RegExp(`[:;] ${name} `));
});

test('no other workspace has a part in a report', async () => {
  const own = await openWorkspace('1', [ada, { ...office, manager: 0 }]);
  const other = await openWorkspace('1', [
    ada,
    { ...office, manager: 0, email: 'stranger@example.com' },
    { employeeNumber: '5' },
  ]);
  await other.gift({ employeeNumber: '5' }, { email: 'ada@example.com' });
  assert.equal((await own.activity()).totalElements, 0);
  assert.equal((await own.lastRecognized()).totalElements, 1);
  assert.equal((await own.lastRecognized(`?manager=${own.memberIds[0]}`)).totalElements, 1);
  assert.equal((await own.lastRecognized(`?manager=${other.memberIds[0]}`)).totalElements, 0);
  assert.equal((await own.lastRecognized('?neverRecognized=true')).totalElements, 1);
  assert.equal((await other.activity()).totalElements, 2);
});

test('whatever the directory and the filters, the pages together are what a plain search finds', async () => {
  const word = fc.constantFrom(
    'Care',
    'care',
    'CARE',
    'Équipe',
    'ÉQUIPE',
    'équipe',
    'a%',
    'A_',
    "O'Neil",
    '',
    'R+D & co',
  );
  const known = fc.option(word, { nil: null });
  const date = fc.option(fc.constantFrom('2026-01-01', '2026-01-02', '2025-06-30'), { nil: null });
  const person = fc.record({
    department: known,
    costCentre: known,
    location: known,
    currency: fc.option(fc.constantFrom('CAD', 'USD', 'cad'), { nil: null }),
    manager: fc.option(fc.nat(11), { nil: null }),
    lastDate: date,
    type: fc.constantFrom('GIFT', 'SHOUTOUT'),
  });
  const filter = fc.record(
    {
      department: word,
      costCentre: word,
      location: word,
      currency: fc.constantFrom('cad', 'USD', 'EUR'),
      employeeNumber: fc.constantFrom('e1', 'E1', 'e2', 'x'),
      manager: fc.nat(11),
      neverRecognized: fc.boolean(),
    },
    { requiredKeys: [] },
  );
  const same = (one: string | null | undefined, other: string) => one?.toLowerCase() === other.toLowerCase();
  const columns = ['department', 'costCentre', 'location', 'currency', 'employeeNumber'] as const;
  await fc.assert(
    fc.asyncProperty(
      fc.array(person, { minLength: 1, maxLength: 12 }),
      fc.array(filter, { minLength: 1, maxLength: 6 }),
      fc.integer({ min: 1, max: 5 }),
      async (drawn, filters, size) => {
        const people: Person[] = drawn.map((one, nth) => ({
          ...one,
          // A manager comes before those they lead; employee numbers that differ only in case are two people.
          manager: one.manager !== null && one.manager < nth ? one.manager : null,
          employeeNumber: `${nth % 2 ? 'e' : 'E'}${nth >> 1}`,
          email: nth % 3 ? `Person${nth}@example.com` : null,
          firstName: `${nth}`,
        }));
        const { lastRecognized, memberIds } = await openWorkspace(undefined, people);
        for (const { manager, neverRecognized, ...rest } of filters) {
          const lead = manager === undefined ? undefined : people[manager];
          const leadName =
            lead &&
            [lead.email?.toUpperCase(), lead.employeeNumber, `${memberIds[manager as number]}`][
              (manager as number) % 3
            ];
          const wanted = manager === undefined ? undefined : (leadName ?? 'nobody');
          const leads = people.flatMap(({ email, employeeNumber }, nth) =>
            wanted !== undefined &&
            (same(email, wanted) || same(employeeNumber, wanted) || `${memberIds[nth]}` === wanted)
              ? [nth]
              : [],
          );
          const expected = people
            .map((one, nth) => ({ ...one, nth }))
            .filter((one) => (neverRecognized ? one.lastDate === null : one.lastDate !== null))
            .filter((one) =>
              columns.every(
                (name) =>
                  rest[name as keyof typeof rest] === undefined ||
                  same(one[name], rest[name as keyof typeof rest] as string),
              ),
            )
            .filter((one) => wanted === undefined || leads.includes(one.manager as number))
            .sort((one, other) => (other.lastDate ?? '').localeCompare(one.lastDate ?? '') || one.nth - other.nth)
            .map(({ email, firstName, lastDate, type }) => ({
              teamMember: { email: email ?? '', firstName, lastName: '' },
              lastDate,
              type: lastDate === null ? null : type,
            }));
          const query = new URLSearchParams({ ...rest, size: `${size}` });
          if (wanted !== undefined) query.set('manager', wanted);
          if (neverRecognized !== undefined) query.set('neverRecognized', `${neverRecognized}`);
          const walked = [];
          const totalPages = Math.ceil(expected.length / size);
          for (let page = 0; page <= totalPages; page++) {
            query.set('page', `${page}`);
            const { teamMembers, ...fields } = await lastRecognized(`?${query}`);
            assert.deepEqual(fields, { page, size, totalElements: expected.length, totalPages });
            walked.push(...teamMembers);
          }
          assert.deepEqual(walked, expected, String(query));
        }
      },
    ),
    { numRuns: 25 },
  );
});
