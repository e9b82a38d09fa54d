import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ImportResult, mostListed, mostRejected } from '../../src/ground/contract/member-import.ts';
import { openConnection } from '../support/harmless.ts';
import { head, readAnswers } from '../support/raw.ts';
import { startService } from '../support/service.ts';
import { openWorkspace, refusal } from '../support/workspace.ts';

const service = await startService();
const workspace = await openWorkspace(service, { people: [{ email: 'ada@example.com', firstName: 'Ada' }] });
const send = (file: string | Uint8Array<ArrayBuffer>, query = '') =>
  workspace.call<ImportResult>(`/api/v1/members/import${query}`, {
    method: 'POST',
    body: file,
    headers: { 'Content-Type': 'text/csv' },
  });
async function imported(file: string, query = ''): Promise<ImportResult> {
  const { status, body } = await send(file, query);
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}
const emails = async () => (await workspace.members('?size=100')).members.map(({ email }) => email);

test('a dry run says what would change, row by row, and changes nothing', async () => {
  const file = 'email,firstName,manager\nnia@example.com,Nia,ada@example.com\nada@example.com,Adah,\nwrong,X,\n';
  const before = await emails();
  const told = await imported(file, '?dryRun=true');
  assert.partialDeepStrictEqual(told, { dryRun: true, complete: true, rows: 3, added: 1, changed: 1, rejected: 1 });
  assert.deepEqual(
    told.changes.map(({ line, change, fields }) => [line, change, fields]),
    [
      [2, 'added', []],
      [3, 'changed', ['firstName']],
    ],
  );
  assert.deepEqual(
    told.faults.map(({ line }) => line),
    [4],
  );
  assert.match(told.rejectedRows ?? '', /^line,reason,email,firstName,manager\n4,.*wrong,X,\n$/);
  assert.deepEqual(await emails(), before);
  const { dryRun, changes, values, ...done } = await imported(file);
  const { dryRun: _dry, changes: _changes, values: _values, ...asTold } = told;
  assert.deepEqual([dryRun, values, done], [false, [], asTold], 'the import does what the dry run said');
  assert.deepEqual(await emails(), ['ada@example.com', 'nia@example.com']);
});

test('columns can be mapped, other encodings named', async () => {
  const map = encodeURIComponent('{"Mail":"email","Vorname":"firstName","Extra":null}');
  const bytes = Buffer.from('Mail,Vorname,Extra\nbj@example.com,Bj\xf6rn,1\n', 'latin1');
  const { body } = await send(new Uint8Array(bytes), `?encoding=windows-1252&map=${map}`);
  assert.deepEqual(body.columns, { email: 'Mail', firstName: 'Vorname' });
  assert.equal((await workspace.members('?search=björn')).totalElements, 1);
  assert.match(refusal(await send(new Uint8Array(bytes)), 400), /not UTF-8/);
});

test('statuses and values of the company get their meaning in the query', async () => {
  const file = 'email,Status,location\nsv1@example.com,Zulu,YUL\nsv2@example.com,Kilo,yul\n';
  const query = new URLSearchParams({
    status: '{"ZULU":"left","kilo":"active"}',
    value: '{"location":{"yul":"Montréal"}}',
  });
  assert.deepEqual(
    (await imported(file, '?dryRun=true')).unknownStatuses.map(({ text }) => text),
    ['Zulu', 'Kilo'],
  );
  assert.equal((await imported(file, `?${query}`)).added, 2);
  const { members } = await workspace.members('?location=montréal&includeInactive=true&size=10');
  assert.deepEqual(members.map(({ email, active }) => [email, active]).sort(), [
    ['sv1@example.com', false],
    ['sv2@example.com', true],
  ]);
});

test('a file or a parameter at fault is refused with what to do', async () => {
  for (const [file, query, says] of [
    ['', '', /The file is empty/],
    ['a,b\n1,2\n', '', /No column is an email or an employeeNumber/],
    ['email\n', '?map=x', /map must be a JSON object/],
    ['email\n', '?map=%7B%22email%22%3A%22shoe%22%7D', /map must be a JSON object/],
    ['email\n', '?status=%7B%22Z%22%3A%22gone%22%7D', /status must be a JSON object of statuses/],
    ['email\n', '?value=%7B%22shoe%22%3A%7B%7D%7D', /value must be a JSON object of fields/],
    ['email\n', '?value=%7B%22team%22%3A1%7D', /value must be a JSON object of fields/],
    ['email,Phase\nx@example.com,Terminated\n', '', /"Phase" \(Terminated\) seems to say who has left/],
    ['email\n', '?encoding=klingon', /encoding must be/],
    ['email\n', '?dateFormat=tomorrow', /dateFormat must be/],
    ['email\n', '?dry=true', /dry is not a parameter/],
  ] as const)
    assert.match(refusal(await send(file, query), 400), says, query);
  refusal(await workspace.call('/api/v1/members/import', { method: 'POST', body: {} }), 415);
});

test('too many leavers at once are held back, unless they are allowed', async () => {
  const many = Array.from({ length: 30 }, (_, n) => `p${n}@example.com`);
  await imported(`email\n${many.join('\n')}\n`);
  const leaving = `email,active\n${many.map((email) => `${email},no`).join('\n')}\n`;
  const held = await imported(leaving);
  assert.deepEqual([held.heldBack, held.leaving, held.changes[0]?.change], [30, 0, 'heldBack']);
  assert.equal((await imported(leaving, '?allowLeavers=30')).leaving, 30);
});

const bad = (count: number) => ',y\n'.repeat(count);

test('with too many rows at fault a dry run ends with what is wrong, where and what to do', async () => {
  const most = await imported(`email,status\n${bad(mostRejected)}`, '?dryRun=true');
  assert.deepEqual([most.complete, most.rejected, most.faults.length], [true, mostRejected, mostListed]);
  assert.equal(most.rejectedRows?.split('\n').length, mostRejected + 2, 'all of them can be corrected');
  const message = refusal(await send(`email,status\n${bad(10 * mostRejected)}`, '?dryRun=true'), 400);
  assert.match(
    message,
    /^More than 10000 rows have a fault, so the import ended at line 12001\. This was a dry run: not/,
  );
  assert.match(message, /Correct the file, or leave a column out with map, and import it again/);
  assert.match(message, /The first faults are: line 2: status "y" is not understood.*; line 6: /);
  assert.doesNotMatch(message, /line 7:/);
  const long = `,${'y'.repeat(2_000)}\n`.repeat(5);
  assert.ok(refusal(await send(`email,status\n${long}${bad(mostRejected)}`, '?dryRun=true'), 400).length < 2_000);
});

test('with too many rows at fault an import keeps the good rows before, and says so', async () => {
  const first = 'email,status\nfirst@example.com,A\nada@example.com,T\n';
  const file = `${first}${bad(mostRejected + 4_000)}last@example.com,A\n`;
  assert.match(
    refusal(await send(file), 400),
    /ended at line 12001\. The good rows up to there are imported \(1 added, 0 changed\), except for rows with a former address, managers and leavers/,
  );
  const present = await emails();
  assert.deepEqual([present.includes('first@example.com'), present.includes('last@example.com')], [true, false]);
  assert.ok(present.includes('ada@example.com'), 'nobody leaves');
  assert.deepEqual((await imported(first)).added, 0, 'the next import of the workspace is not held up');
});

test('people whose manager is unknown count as rows at fault', async () => {
  const people = Array.from({ length: mostRejected + 1 }, (_, nth) => `m${nth}@example.com,nobody@example.com\n`);
  const told = await send(`email,manager\n${people.join('')}`, '?dryRun=true');
  assert.match(refusal(told, 400), /ended at line 10002\. .*line 2: .*nobody@example\.com/);
});

/** Two batches, in two pieces of which the first has more than one. */
const whole = (name: string) => Array.from({ length: 4_000 }, (_, nth) => `${name}${nth}@example.com,A\n`).join('');

test('a file that cannot be read to its end is a 400 that says why, and how far it came', async () => {
  const broken = new Uint8Array(Buffer.from(`email,firstName\n${whole('broken')}x@example.com,Bj\xf6rn\n`, 'latin1'));
  const dry = refusal(await send(broken, '?dryRun=true'), 400);
  assert.match(
    dry,
    /^The file is not UTF-8 text .* The import ended at line 2001\. This was a dry run: nothing was changed/,
  );
  assert.match(
    refusal(await send(broken), 400),
    /not UTF-8 text .* ended at line 2001\. The good rows up to there are imported \(2000 added, 0 changed\), .* Correct the file/,
  );
  const endless = await send(`email,firstName\n${whole('endless')}${'x'.repeat(2_000_000)}`, '?dryRun=true');
  assert.match(refusal(endless, 400), /^Line 4002 does not end: .* The import ended at line 4001\./);
});

test('an import that the database ends is a 500 with the cause in the log, or can go on if it was away', async () => {
  await service.database.query(`
    create function fail() returns trigger language plpgsql as $$
    begin
      raise exception 'it fails' using errcode = new.first_name;
    end $$`);
  await service.database.query(
    `create trigger fail before insert on members for each row when (new.first_name in ('23514', '57P03')) execute function fail()`,
  );
  const failing = (name: string, state: string) => send(`email,firstName\n${whole(name)}x@example.com,${state}\n`);
  assert.equal((await failing('check', '23514')).status, 500);
  const logged = service.logLines().filter(({ msg }) => msg === 'answered 500');
  assert.match(JSON.stringify(logged), /it fails/);
  const { status, body } = await failing('away', '57P03');
  assert.deepEqual([status, body.complete, body.doneToLine, body.added], [200, false, 4_001, 4_000]);
  await service.database.query('drop function fail cascade');
});

test('a line of any length, and a header of brackets, are read in one go', async () => {
  const endless = await send(`email\n${'x'.repeat(20_000_000)}`, '?dryRun=true');
  assert.match(refusal(endless, 400), /^Line 2 does not end: this is no CSV file/);
  const long = await send(`email,firstName\na@example.com,${'x'.repeat(900_000)}`, '?dryRun=true');
  assert.equal(long.status, 200);
  const name = await imported(`email,Reports to\na@example.com,${'1'.repeat(900_000)} x\n`, '?dryRun=true');
  assert.equal(name.managerNames, 1);
  const brackets = await send(`${'['.repeat(900_000)},email\nb,a@example.com\n`, '?dryRun=true');
  assert.equal(brackets.status, 200);
  const { body: pool } = await service.call<{ id: number }>('/api/v1/pools', {
    method: 'POST',
    body: { name: 'Books', currency: 'CAD' },
  });
  const headers = { 'Content-Type': 'text/csv' };
  const codes = { method: 'POST', headers, body: `retailer,value,code\n${'x'.repeat(2_000_000)}` };
  refusal(await service.call(`/api/v1/pools/${pool.id}/codes`, codes), 400);
});

test('other requests get their turns while a file is read, also if it has no rows to take', async () => {
  const file = `email,status\n${',\n'.repeat(2 * 1024 * 1024)}`;
  const headers = [`Authorization: Bearer ${service.token}`, `X-Workspace-id: ${service.workspaceId}`];
  const length = `Content-Length: ${file.length}`;
  const asked = head('POST', '/api/v1/members/import?dryRun=true', ...headers, 'Content-Type: text/csv', length);
  const socket = await openConnection(service.url, asked);
  // The import begins with the last byte.
  await new Promise((resolve) => socket.write(file.slice(0, -1), resolve));
  await service.call('/health/live');
  let [isOver, meanwhile] = [false, 0];
  const answers = readAnswers(socket, 1).finally(() => {
    isOver = true;
  });
  socket.write(file.slice(-1));
  for (; !isOver; meanwhile++) await service.call('/health/live');
  assert.equal((await answers)[0]?.status, 200);
  assert.ok(meanwhile > 10, `${meanwhile} requests were answered meanwhile`);
});
