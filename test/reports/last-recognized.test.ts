import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from '../support/fast-check.ts';
import { ada, office, openRecognized, type Recognized, startForRecognized } from '../support/recognized.ts';
import { runs } from '../support/runs.ts';
import { refusal } from '../support/workspace.ts';

const service = await startForRecognized();

const boss = { email: 'Boss@Example.com', employeeNumber: 'M-é1', lastDate: '2026-01-01' };

test('last recognized has exactly its fields, the latest first, then by id', async () => {
  const { lastRecognized } = await openRecognized(service, [
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

test('neverRecognized lists the people without any recognition, and no integrations', async () => {
  const { lastRecognized, gift } = await openRecognized(service, [
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

test('each filter matches exactly, ignoring case, also beyond ASCII', async () => {
  const { lastRecognized, memberIds } = await openRecognized(service, [boss, { ...office, email: 'hit@example.com' }]);
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
  const { lastRecognized } = await openRecognized(service, [
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
  const { lastRecognized } = await openRecognized(service, [{ ...office, manager: null }]);
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

test('a filter given twice or with NUL is refused by name', async () => {
  const { call } = await openRecognized(service);
  const refused = async (query: string) => refusal(await call(`/api/v1/reports/members/last-recognized${query}`), 400);
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

test('for any directory and filters, the pages together equal a plain search', async () => {
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
        const people: Recognized[] = drawn.map((one, nth) => ({
          ...one,
          // A manager comes before those they lead; employee numbers that differ only in case are two people.
          manager: one.manager !== null && one.manager < nth ? one.manager : null,
          employeeNumber: `${nth % 2 ? 'e' : 'E'}${nth >> 1}`,
          email: nth % 3 ? `Person${nth}@example.com` : null,
          firstName: `${nth}`,
        }));
        const { lastRecognized, memberIds } = await openRecognized(service, people);
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
    { numRuns: runs(25) },
  );
});
