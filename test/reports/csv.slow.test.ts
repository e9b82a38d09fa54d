import assert from 'node:assert/strict';
import { get } from 'node:http';
import { test } from 'node:test';
import { parse } from 'csv-parse/sync';
import type { MemberFields } from '../../src/company/directory/member-fields.ts';
import { plainCell } from '../../src/ground/values/csv.ts';
import { readWrongs } from '../support/books.ts';
import { recount } from '../support/derived.ts';
import { eventually } from '../support/eventually.ts';
import { startService } from '../support/service.ts';
import { aShoutout, type Opening, openWorkspace, refusal } from '../support/workspace.ts';

const service = await startService();
const { database } = service;
const activityPath = '/api/v1/reports/teams/activity';
const recognizedPath = '/api/v1/reports/members/last-recognized';
const asCsv = { Accept: 'text/csv' };

type Row = Record<string, string>;

/** The rows of a file, with escaped cells restored. */
function rowsOf(text: string): Row[] {
  const rows = parse(text, { columns: true }) as Row[];
  return rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, cell]) => [name, plainCell(cell)])));
}

/** A workspace whose reports are read as files. */
async function openReports(opening: Opening = {}) {
  const workspace = await openWorkspace(service, opening);
  const csv = async (path: string): Promise<string> => {
    const { status, headers, body } = await workspace.call<string>(path, { headers: asCsv });
    assert.equal(status, 200, JSON.stringify(body));
    assert.match(headers.get('content-type') ?? '', /^text\/csv/);
    return body;
  };
  return {
    ...workspace,
    csv,
    activityRows: async (query = '') => rowsOf(await csv(activityPath + query)),
    recognizedRows: async (query = '') => rowsOf(await csv(recognizedPath + query)),
  };
}

/** Adds thousands of people with one shoutout each, in one statement per table. */
async function fillWorkspace(workspaceId: number, count: number): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.query('update activity_counters set total = $2, latest = now() where workspace_id = $1', [
      workspaceId,
      count,
    ]);
    await tx.query(
      `insert into members (workspace_id, team_id, employee_number, first_name, recognition_count, last_recognized_on,
                            last_recognized_by, last_recognized_number)
       select w.id, w.default_team_id, 'n' || nth, 'Person ' || nth, 1, (now() at time zone 'utc')::date, 'SHOUTOUT', nth
         from workspaces w, generate_series(1, $2::int) nth
        where w.id = $1`,
      [workspaceId, count],
    );
    await tx.query(
      `insert into activities (workspace_id, number, type, status, sender_id, receiver_id, description, created_on)
       select workspace_id, last_recognized_number, 'SHOUTOUT', 'APPROVED', id, id, repeat('word ', 20), now()
         from members
        where workspace_id = $1
          and last_recognized_number is not null`,
      [workspaceId],
    );
    await recount(tx, workspaceId);
  });
  await database.query('analyze members, activities');
}

const many = await openReports();
await fillWorkspace(many.id, 5_000);

test('the answer is CSV if Accept prefers it, JSON otherwise, and a 406 if it allows neither', async () => {
  const { call, gift } = await openReports();
  await gift({ email: 'ada@example.com' });
  const cases: [string, 'json' | 'csv' | 406][] = [
    ['text/csv', 'csv'],
    ['TEXT/CSV', 'csv'],
    ['text/csv; charset=utf-8', 'csv'],
    ['text/csv; header=present', 'csv'],
    ['text/*', 'csv'],
    ['text/csv, application/json;q=0.5', 'csv'],
    ['application/json;q=0.5, text/csv', 'csv'],
    ['text/csv;q=0.9, application/json;q=0.8', 'csv'],
    ['text/csv, */*;q=0.1', 'csv'],
    ['application/json;q=0, */*', 'csv'],
    ['application/xml, text/csv;q=0.1', 'csv'],
    ['*/*', 'json'],
    ['', 'json'],
    ['application/json', 'json'],
    ['application/*', 'json'],
    ['application/json, text/csv;q=0.5', 'json'],
    ['text/csv;q=0, */*', 'json'],
    ['text/csv;q=0.1, */*', 'json'],
    ['application/xml', 406],
    ['text/html', 406],
    ['text/csv;q=0', 406],
    ['image/*', 406],
  ];
  for (const path of [activityPath, recognizedPath])
    for (const [accept, expected] of cases) {
      const answer = await call(path, { headers: { Accept: accept } });
      if (expected === 406) refusal(answer, 406);
      else {
        assert.equal(answer.status, 200, accept);
        assert.match(answer.headers.get('content-type') ?? '', new RegExp(`/${expected}; charset=utf-8$`), accept);
      }
    }
  for (const path of ['/api/v1/members', '/api/v1/reasons', '/api/v1/shoutouts'])
    refusal(await call(path, { headers: asCsv }), 406);
});

test('a CSV report without rows is its header line', async () => {
  const { csv, call } = await openReports();
  assert.equal(
    await csv(activityPath),
    'status,type,createdOn,senderId,senderEmail,senderFirstName,senderLastName,receiverId,receiverEmail,' +
      'receiverFirstName,receiverLastName,description,reason,isPrivate,team\n',
  );
  assert.equal(
    await csv(recognizedPath),
    'email,firstName,lastName,lastDate,type,employeeNumber,department,costCentre,location,team,active\n',
  );
  const { headers } = await call(recognizedPath, { headers: asCsv });
  assert.match(headers.get('content-disposition') ?? '', /^attachment; filename="[\w-]+\.csv"$/);
});

test('each CSV row equals the JSON of the same report', async () => {
  const people: MemberFields[] = [
    { email: 'ada@example.com', employeeNumber: '1', firstName: 'Ada', lastName: 'Lovelace', department: 'Care' },
    { employeeNumber: '2', costCentre: 'C', location: 'Lima' },
    { email: 'countess@example.com', firstName: 'Augusta' },
  ];
  const workspace = await openReports({ people, asksForApproval: true });
  await workspace.gift({ employeeNumber: '1' }, { employeeNumber: '2' }, { email: 'countess@example.com' });
  const before = (await workspace.activity()).activities.map(({ receiver }) => receiver);
  const idOf = (email: string) => before.find((receiver) => receiver.email === email)?.id as number;
  await workspace.merge(idOf('countess@example.com'), idOf('ada@example.com'));
  await workspace.given(aShoutout({ isPrivate: true, message: 'private' }));
  const declined = await workspace.given(aShoutout({ message: 'declined' }));
  await workspace.decide(declined.id, 'decline');
  const { activities } = await workspace.activity();
  assert.deepEqual(
    await workspace.activityRows(),
    activities.map(({ sender, receiver, ...activity }) => ({
      status: activity.status,
      type: activity.type,
      createdOn: activity.createdOn,
      senderId: `${sender.id}`,
      senderEmail: sender.email,
      senderFirstName: sender.firstName,
      senderLastName: sender.lastName,
      receiverId: `${receiver.id}`,
      receiverEmail: receiver.email,
      receiverFirstName: receiver.firstName,
      receiverLastName: receiver.lastName,
      description: activity.description,
      reason: activity.reason.description,
      isPrivate: `${activity.isPrivate}`,
      team: 'Everyone',
    })),
  );
  const today = activities[0]?.createdOn.slice(0, 10) as string;
  const known = { lastDate: today, type: 'GIFT', team: 'Everyone', active: 'true' };
  const ada = { ...known, email: 'ada@example.com', firstName: 'Ada', lastName: 'Lovelace', employeeNumber: '1' };
  const other = { ...known, email: '', firstName: '', lastName: '', employeeNumber: '2', department: '' };
  assert.deepEqual(await workspace.recognizedRows(), [
    { ...ada, department: 'Care', costCentre: '', location: '' },
    { ...other, costCentre: 'C', location: 'Lima' },
  ]);
});

test('a CSV file ignores page and size, and its filters work as in JSON', async () => {
  const people = Array.from({ length: 30 }, (_, nth) => ({
    employeeNumber: `${nth}`,
    department: nth % 2 ? 'Care' : 'Sales',
    location: ['Lima', 'Oslo', null][nth % 3] ?? null,
    firstName: `${nth}`,
    active: nth % 5 !== 4,
  }));
  const workspace = await openReports({ people, acceptsLeavers: true });
  await workspace.change(workspace.memberIds[3] as number, { managerId: workspace.memberIds[0] as number });
  await workspace.gift(...people.slice(0, 22).map(({ employeeNumber }) => ({ employeeNumber })));
  assert.equal((await workspace.activityRows('?page=3&size=2')).length, 22);
  for (const filters of [
    '',
    'department=CARE',
    'location=oslo&department=sales',
    'includeInactive=true',
    'neverRecognized=true',
    'neverRecognized=true&includeInactive=true&department=care',
    'manager=0',
    'employeeNumber=7',
    'costCentre=none',
  ]) {
    const { teamMembers } = await workspace.lastRecognized(`?${filters}&size=1000`);
    const expected = teamMembers.map(({ teamMember, lastDate, type }) => [
      teamMember.firstName,
      lastDate ?? '',
      type ?? '',
    ]);
    for (const paging of ['', '&page=5&size=1'])
      assert.deepEqual(
        (await workspace.recognizedRows(`?${filters}${paging}`)).map((row) => [row.firstName, row.lastDate, row.type]),
        expected,
        filters,
      );
  }
  const inactive = await workspace.recognizedRows('?includeInactive=true&employeeNumber=4');
  assert.deepEqual(
    inactive.map(({ active }) => active),
    ['false'],
  );
});

const nasty = [
  '=1+1',
  '+49 30',
  '-5',
  '@SUM(A1)',
  '=HYPERLINK("http://example.com";"x")',
  "'=quoted",
  "''-twice",
  "'plain",
  'a "quoted" word',
  'a, b; c',
  'two\nlines',
  'two\r\nlines',
  'a\rreturn',
  'tab\tinside',
  'the ends\u001fof\u001e=cells',
  '李小龍 🎁 é',
  '"',
  '""',
  ',',
  'a\u2028line',
  '0012',
  '1e5',
  'true',
  'null',
];

test('no cell is a formula, and every text can be restored', async () => {
  const workspace = await openReports({
    people: nasty.map((text, nth) => ({ firstName: text, department: text, employeeNumber: `${text}${nth}` })),
  });
  for (const text of nasty)
    await workspace.given(aShoutout({ message: text, recipient: { employeeNumber: `${text}${nasty.indexOf(text)}` } }));
  for (const path of [activityPath, recognizedPath]) {
    const cells = (parse(await workspace.csv(path)) as string[][]).slice(1).flat();
    for (const cell of cells) assert.doesNotMatch(cell, /^[=+\-@\t\r]/);
  }
  const recognized = await workspace.recognizedRows();
  assert.deepEqual(recognized.map(({ firstName }) => firstName).sort(), nasty.toSorted());
  for (const { firstName, department, employeeNumber } of recognized) {
    assert.equal(department, firstName);
    assert.ok(employeeNumber?.startsWith(firstName as string));
  }
  assert.deepEqual(
    (await workspace.activityRows()).map(({ description }) => description),
    nasty.toReversed(),
  );
});

test('thousands of rows of both reports are complete and in order', async () => {
  const recognized = await many.recognizedRows();
  assert.deepEqual(
    recognized.map(({ employeeNumber }) => employeeNumber),
    Array.from({ length: 5_000 }, (_, nth) => `n${nth + 1}`),
  );
  const activity = await many.activityRows();
  assert.deepEqual(
    activity.map(({ receiverFirstName }) => receiverFirstName),
    Array.from({ length: 5_000 }, (_, nth) => `Person ${5_000 - nth}`),
  );
  assert.equal((await many.recognizedRows('?employeeNumber=n77')).length, 1);
});

test('while gifts are given, nobody is missing from a file or in it twice', async () => {
  const workspace = await openReports();
  await fillWorkspace(workspace.id, 2_100);
  await workspace.passDays(2);
  let over = false;
  const giving = (async () => {
    for (let nth = 0; !over; nth++) {
      const numbers = Array.from({ length: 20 }, (_, at) => `n${((nth * 611 + at * 149) % 2_100) + 1}`);
      await workspace.gift(...numbers.map((employeeNumber) => ({ employeeNumber })));
    }
    return true;
  })();
  for (let round = 0; round < 3; round++) {
    const [recognized, activity] = await Promise.all([workspace.recognizedRows(), workspace.activityRows()]);
    assert.equal(recognized.length, 2_100);
    assert.equal(new Set(recognized.map(({ employeeNumber }) => employeeNumber)).size, 2_100);
    const days = recognized.map(({ lastDate }) => lastDate);
    assert.deepEqual(days, days.toSorted().reverse());
    assert.equal(activity.length % 20, 0, 'an order is there as a whole or not at all');
    assert.equal(activity.filter(({ type }) => type === 'SHOUTOUT').length, 2_100);
  }
  over = true;
  assert.ok(await giving);
});

/** Requests a file and disconnects: at once, after the headers, or after the first bytes. */
async function goAway(path: string, when: number): Promise<void> {
  const { hostname, port } = new URL(service.url);
  const headers = { ...asCsv, Authorization: `Bearer ${many.token}`, 'X-Workspace-id': `${many.id}` };
  const request = get({ hostname, port, path, headers, agent: false });
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  request.on('error', () => {}).on('close', resolve);
  if (when === 0) request.on('socket', (socket) => socket.on('connect', () => request.destroy()));
  else
    request.on('response', (response) => {
      response.on('error', () => {});
      if (when === 1) request.destroy();
      else response.once('data', () => request.destroy());
    });
  await closed;
}

/** Requests a file until it is served: the service may not have noticed yet that earlier readers disconnected. */
async function rowsOnceReadersAreGone(path: string): Promise<number> {
  const ask = () => many.call<string>(path, { headers: asCsv });
  const { body } = await eventually(ask, ({ status }) => status === 200);
  return rowsOf(body).length;
}

test('clients that disconnect hold nothing: after thirty of them both reports answer, as pages and as files', async () => {
  for (let nth = 0; nth < 30; nth++) await goAway(nth % 2 ? activityPath : recognizedPath, nth % 3);
  await Promise.all(Array.from({ length: 12 }, (_, nth) => goAway(activityPath, nth % 3)));
  const counts = await Promise.all([activityPath, recognizedPath].map(rowsOnceReadersAreGone));
  assert.deepEqual(counts, [5_000, 5_000]);
  assert.equal((await many.activity()).totalElements, 5_000);
});

test('many HEAD requests hold nothing either', async () => {
  for (let nth = 0; nth < 24; nth++) {
    const { status } = await many.call(nth % 2 ? activityPath : recognizedPath, { method: 'HEAD', headers: asCsv });
    assert.ok([200, 404, 405].includes(status), `${status}`);
  }
  assert.equal((await many.recognizedRows()).length, 5_000);
});

test('errors are JSON even if CSV was asked for', async () => {
  const { call, id } = await openReports();
  const { token } = await service.addToken({ workspaces: [id], scopes: ['directory:read'] });
  for (const path of [activityPath, recognizedPath]) {
    refusal(await call(path, { headers: asCsv, token: null }), 401);
    refusal(await call(path, { headers: asCsv, token }), 403);
    refusal(await call(path, { headers: asCsv, workspace: 987_654 }), 403);
    assert.match(refusal(await call(`${path}?size=0`, { headers: asCsv }), 400), /: size must be /);
    assert.match(refusal(await call(`${path}?page=x`, { headers: asCsv }), 400), /: page must be /);
  }
  for (const query of ['department=%00', 'includeInactive=yes', 'neverRecognized=', 'manager=a&manager=b'])
    refusal(await call(`${recognizedPath}?${query}`, { headers: asCsv }), 400);
});

test("a file never includes another workspace's rows", async () => {
  const [own, other] = [await openReports(), await openReports()];
  await own.gift({ email: 'own@example.com' });
  await other.gift({ email: 'other@example.com' });
  assert.deepEqual(
    (await own.activityRows()).map(({ receiverEmail }) => receiverEmail),
    ['own@example.com'],
  );
  assert.deepEqual(
    (await own.recognizedRows()).map(({ email }) => email),
    ['own@example.com'],
  );
});

test('a file whose rows cannot be read is a 503, not half a file', async () => {
  const { token, id: workspace } = await openReports();
  const holder = await database.pool.connect();
  try {
    // It holds the locks until both requests have waited in vain.
    await holder.query('set idle_in_transaction_session_timeout = 0');
    await holder.query('begin');
    await holder.query('lock table members, activities in access exclusive mode');
    for (const path of [activityPath, recognizedPath]) {
      const { status, headers, body } = await service.call(path, { token, workspace, headers: asCsv });
      assert.equal(status, 503, JSON.stringify(body));
      assert.ok(headers.get('retry-after'));
    }
  } finally {
    await holder.query('rollback');
    await holder.query('reset idle_in_transaction_session_timeout');
    holder.release();
  }
});

test('after all of this the books agree', async () => {
  assert.deepEqual(await readWrongs(database), []);
});
