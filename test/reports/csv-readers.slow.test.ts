import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { revokeToken } from '../../src/company/access/tokens.ts';
import { theService } from '../../src/company/workspaces/audit.ts';
import { readWrongs } from '../support/books.ts';
import { cleanUp } from '../support/cleanup.ts';
import { eventually } from '../support/eventually.ts';
import { addLongHistory, addLongPeople } from '../support/long-history.ts';
import { startService } from '../support/service.ts';
import { addUser, signIn } from '../support/sign-in.ts';
import { openSlowReader } from '../support/slow-reader.ts';
import { aShoutout, openWorkspace, type TestWorkspace } from '../support/workspace.ts';

const service = await startService();
const { database } = service;
const activityPath = '/api/v1/reports/teams/activity';
const recognizedPath = '/api/v1/reports/members/last-recognized';
const asCsv = { Accept: 'text/csv' };
const rowsInHistory = 3_000;
/** More than fits between the service and a client that does not read, and more than the service keeps of lines that it has read. */
const peopleInFile = 20_000;
/** Without the one that is merged. */
const othersInFile = peopleInFile - 1;
const recognizedMeanwhile = [1, 2, Math.floor(othersInFile / 2), othersInFile - 2, othersInFile - 1, othersInFile].map(
  (nth) => ({ employeeNumber: `n${nth}` }),
);

async function openReader({ id, token }: TestWorkspace, path: string) {
  const reader = await openSlowReader(service.url + path, {
    Authorization: `Bearer ${token}`,
    'X-Workspace-id': `${id}`,
  });
  cleanUp(async () => reader.leave());
  return reader;
}

/** The cells of a file, by column. */
type Columns = { rows: number; of(name: string): string[] };

async function read(reader: Awaited<ReturnType<typeof openReader>>): Promise<Columns> {
  const { text, isWhole } = await reader.read();
  assert.ok(isWhole, 'the file was cut');
  // No value of these files has a comma or a quote. A parser would take half the processor time of this file.
  assert.ok(!text.includes('"'));
  const [header = [], ...rows] = text.split('\n').map((line) => line.split(','));
  assert.deepEqual(rows.pop(), [''], 'the last line ends');
  return { rows: rows.length, of: (name) => rows.map((row) => row[header.indexOf(name)] as string) };
}

/** Waits until no file has a transaction. Returns the sessions that keep one. */
function openTransactions() {
  return eventually(
    () =>
      database.query<{ state: string }>(
        `select state from pg_stat_activity
          where application_name = 'giftwire exports' and state <> 'idle' and datname = $1`,
        [database.name],
      ),
    (busy) => busy.length === 0,
  );
}

const long = await openWorkspace(service);
// Few rows with much text in each make as long a file as many, for less work.
await addLongHistory(database, long.id, rowsInHistory, 1_000);
const crowd = await openWorkspace(service);
await addLongPeople(database, crowd.id, peopleInFile);

test('unread CSV files hold no database resources and do not block other workspaces', async () => {
  const stalled = [await openReader(long, activityPath), await openReader(long, activityPath)];
  assert.deepEqual(
    stalled.map(({ status }) => status),
    [200, 200],
  );
  assert.deepEqual(await openTransactions(), []);

  const refused = await long.call(activityPath, { headers: asCsv });
  assert.equal(refused.status, 429);
  assert.equal(refused.body.type, 'security_error');
  assert.match(refused.body.message as string, /^2 files of this workspace are being read already: /);
  assert.ok(Number(refused.headers.get('retry-after')) > 0);
  assert.equal((await long.call(recognizedPath, { headers: asCsv })).status, 429);
  assert.equal((await long.activity()).totalElements, rowsInHistory);
  assert.equal((await long.call(activityPath, { method: 'HEAD', headers: asCsv })).status < 429, true);

  const other = await openWorkspace(service);
  await other.gift({ email: 'ada@example.com' });
  for (let round = 0; round < 5; round++)
    for (const path of [activityPath, recognizedPath])
      assert.equal((await other.call(path, { headers: asCsv })).status, 200);

  const [first, second] = stalled;
  assert.equal((await read(first as (typeof stalled)[0])).rows, rowsInHistory);
  second?.leave();
  await eventually(
    async () => (await long.call(recognizedPath, { headers: asCsv })).status,
    (status) => status === 200,
  );
});

test('a slowly read file has exactly the activities that existed when it began, in order', async () => {
  const reader = await openReader(long, activityPath);
  const { id } = await long.given(aShoutout());
  const file = await read(reader);
  assert.deepEqual(
    file.of('description').map((description) => Number(description.split(' ')[0])),
    Array.from({ length: rowsInHistory }, (_, nth) => rowsInHistory - nth),
  );
  assert.equal((await long.activity()).totalElements, rowsInHistory + 1);
  assert.ok(id > 0);
});

let crowdFile: Promise<Columns> | undefined;

/**
 * A file during which a record is merged and members are recognized. Read once for the two tests about it, whichever runs first or
 * alone, because to read it costs more than all that they check.
 */
function readChangedCrowd(): Promise<Columns> {
  crowdFile ??= readWhileItChanges();
  return crowdFile;
}

async function readWhileItChanges(): Promise<Columns> {
  const people = await database.query<{ id: number }>(
    `select id from members where workspace_id = $1 and not is_integration order by id desc limit 2`,
    [crowd.id],
  );
  const reader = await openReader(crowd, recognizedPath);
  assert.deepEqual(await openTransactions(), []);
  await crowd.merge(people[0]?.id as number, people[1]?.id as number);
  await crowd.gift(...recognizedMeanwhile, { email: 'new@example.com' });
  return read(reader);
}

test('a record merged while a file waits for its reader is left out, and the surviving one is in it once', async () => {
  const file = await readChangedCrowd();
  assert.equal(file.rows, peopleInFile - 1);
  assert.equal(file.of('firstName').at(-1), `Person ${peopleInFile - 1}`);
});

test('members recognized while a file is read are in it once, with their state when it began', async () => {
  const file = await readChangedCrowd();
  assert.deepEqual(
    file.of('employeeNumber'),
    Array.from({ length: othersInFile }, (_, nth) => `n${nth + 1}`),
  );
  assert.deepEqual([...new Set(file.of('type'))], ['SHOUTOUT']);
  assert.equal(new Set(file.of('lastDate')).size, 1);
});

test('a database that stalls during a file only delays the file', async () => {
  const reader = await openReader(long, activityPath);
  const holder = await database.pool.connect();
  await openTransactions();
  await holder.query('begin');
  await holder.query('lock table activities in access exclusive mode');
  const reading = read(reader);
  // Longer than a statement may take.
  await sleep(4_000);
  await holder.query('rollback');
  holder.release();
  assert.ok((await reading).rows >= rowsInHistory);
  const timeouts = service.logLines().filter(({ msg }) => msg === 'answered 503');
  assert.deepEqual(timeouts, []);
});

test('revoking a token ends the files that it is reading', async () => {
  const { id, token } = await service.addToken({ workspaces: [long.id] });
  const readers = [await openReader({ ...long, token }, activityPath), await openReader(long, activityPath)];
  await openTransactions();
  await database.transaction((tx) => revokeToken(tx, theService, id));
  await eventually(
    async () => (await long.call(activityPath, { token })).status,
    (status) => status === 401,
  );
  const [revoked, other] = await Promise.all(readers.map((reader) => reader.read()));
  assert.deepEqual([revoked?.isWhole, other?.isWhole], [false, true]);
});

test('a person whose role no longer allows a file reads no further in it', async () => {
  const joining = { email: 'auditor@example.com', workspace: long.id };
  const { cookie, call } = await signIn(service, { ...joining, role: 'AUDITOR' });
  const reader = await openSlowReader(service.url + activityPath, { Cookie: cookie, 'X-Workspace-id': `${long.id}` });
  cleanUp(async () => reader.leave());
  assert.equal(reader.status, 200);
  await openTransactions();
  await addUser(service, { ...joining, role: 'APPROVER' });
  // The session goes on: only the right is gone.
  await eventually(
    async () => (await call(activityPath)).status,
    (status) => status === 403,
  );
  assert.equal((await call('/api/v1/me')).status, 200);
  assert.equal((await reader.read()).isWhole, false);
});

test('a file begins with a byte order mark exactly if bom=true', async () => {
  const mark = [0xef, 0xbb, 0xbf];
  for (const path of [activityPath, recognizedPath])
    for (const [query, expected] of [
      ['', false],
      ['?bom=false', false],
      ['?bom=true', true],
    ] as const) {
      const headers = {
        ...asCsv,
        Authorization: `Bearer ${service.token}`,
        'X-Workspace-id': `${service.workspaceId}`,
      };
      const bytes = new Uint8Array(await (await fetch(service.url + path + query, { headers })).arrayBuffer());
      assert.equal(String([...bytes.slice(0, 3)]) === String(mark), expected, path + query);
    }
  const page = await service.call(`${activityPath}?bom=true`);
  assert.equal(page.body.totalElements, 0);
  const { status, body } = await service.call(`${activityPath}?bom=yes`, { headers: asCsv });
  assert.equal(status, 400);
  assert.match(body.message as string, /bom must be /);
});

test('after all of this the books agree', async () => {
  assert.deepEqual(await readWrongs(database), []);
});
