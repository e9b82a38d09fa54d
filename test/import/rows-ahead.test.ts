import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RowsAhead } from '../../src/company/import/rows-ahead.ts';
import { readWrongs } from '../support/books.ts';
import { inOnePiece, openImports, pick } from '../support/imports.ts';
import { startService } from '../support/service.ts';

const service = await startService();
const { database } = service;

const batchRows = 100;
const count = 3 * batchRows;
const header = 'email,employeeNumber,firstName,manager\n';

function row(nth: number, manager: string, name = `First ${nth}`): string {
  return `p${nth}@example.com,E${nth},${name},${manager}\n`;
}

/** A file that can be opened once more, as files on disk can. */
const twice = (text: string) => ({ batchRows, openAgain: () => inOnePiece(text) });

/** The people whom an import has written more than once. */
async function writtenTwice(workspaceId: number): Promise<number> {
  const people = await database.query('select from members where workspace_id = $1 and changed_at > created_at', [
    workspaceId,
  ]);
  return people.length;
}

test('managers who come later in the file are added first, so that everybody is written once', async () => {
  const distance = batchRows + batchRows / 4;
  const managed = count - distance;
  // Managers of managers too, named by address or by number.
  const managerOf = (nth: number) => (nth % 2 === 0 ? `p${nth + distance}@example.com` : `E${nth + distance}`);
  const rows = Array.from({ length: count }, (_, nth) => row(nth + 1, nth < managed ? managerOf(nth + 1) : ''));
  const file = header + rows.join('');
  const once = await openImports(service);
  assert.deepEqual((await once.take(file, { batchRows })).counts, [count, 0, 0, 0]);
  const ahead = await openImports(service);
  const dry = await ahead.take(file, { ...twice(file), isDryRun: true, isListing: true });
  const wet = await ahead.take(file, { ...twice(file), isListing: true });
  assert.deepEqual(
    [dry.counts, wet.counts],
    [once, once].map(() => [count, 0, 0, 0]),
  );
  const lines = (one: typeof wet) => one.changes?.map(({ line, email, change }) => [line, email, change]);
  assert.deepEqual(lines(dry), lines(wet));
  const people = async ({ list }: typeof once) => pick(await list(), 'email', 'number', 'name', 'manager').sort();
  assert.deepEqual(await people(ahead), await people(once));
  assert.deepEqual([await writtenTwice(once.workspaceId), await writtenTwice(ahead.workspaceId)], [managed, 0]);
});

test('where the first batch shows that the people are new, managers are added first from there on', async () => {
  const boss = `E${count}`;
  const file = header + Array.from({ length: count }, (_, nth) => row(nth + 1, nth + 1 === count ? '' : boss)).join('');
  const { workspaceId, take, list } = await openImports(service, `${header}known@example.com,K1,Kay,\n`);
  assert.deepEqual((await take(file, twice(file))).counts, [count, 0, 0, 0]);
  assert.equal((await list()).filter(({ manager }) => manager === `p${count}@example.com`).length, count - 1);
  assert.equal(await writtenTwice(workspaceId), batchRows);
});

test('of two rows about one person the first counts, also if another row names the second as manager', async () => {
  const rows = Array.from({ length: count }, (_, nth) => row(nth + 1, ''));
  rows[batchRows + 1] = row(batchRows + 2, 'boss@example.com');
  rows[batchRows + 2] = 'first@example.com,BOSS,First,\n';
  rows[batchRows + 3] = 'boss@example.com,BOSS,Second,\n';
  const file = header + rows.join('');
  const { take, list } = await openImports(service);
  const { reasons, counts } = await take(file, twice(file));
  assert.deepEqual(counts, [count - 1, 0, 0, 1]);
  assert.deepEqual(reasons, [
    `${batchRows + 3}: the manager "boss@example.com" is not known: the rest of the row was taken`,
    `${batchRows + 5}: this is the person of line ${batchRows + 4} again, and says something else`,
  ]);
  assert.deepEqual(
    pick(await list(), 'number', 'name').filter(([number]) => number === 'BOSS'),
    [['BOSS', 'First/']],
  );
});

test('known people are taken at their places, so that an address can go to somebody else', async () => {
  const { take, list } = await openImports(service, `${header}boss@example.com,B1,Bo,\n`);
  const rows = Array.from({ length: count }, (_, nth) => row(nth + 1, ''));
  rows[batchRows + 1] = row(batchRows + 2, 'boss@example.com');
  rows[batchRows + 2] = 'bo@example.com,B1,Bo,\n';
  rows[batchRows + 3] = 'boss@example.com,B2,New,\n';
  const file = header + rows.join('');
  const { counts } = await take(file, twice(file));
  assert.deepEqual(counts, [count - 1, 1, 0, 0]);
  const people = new Map((await list()).map((one) => [one.email, one]));
  assert.deepEqual([people.get('bo@example.com')?.number, people.get('boss@example.com')?.number], ['B1', 'B2']);
  assert.equal(people.get(`p${batchRows + 2}@example.com`)?.manager, 'boss@example.com');
});

test('an import that ends early says up to where every row is done, and continues when repeated', async () => {
  const rows = Array.from({ length: count }, (_, nth) => row(nth + 1, nth + 1 === count ? '' : `E${count}`));
  const file = header + rows.join('');
  const broken = () =>
    (async function* () {
      yield Buffer.from(header + rows.slice(0, batchRows + batchRows / 4).join(''));
      yield Buffer.from([0xff, 0xfe, 0xff]);
    })();
  const { take, list } = await openImports(service);
  const failed = await take(broken(), { batchRows, openAgain: broken });
  assert.match(String(failed.stopped?.error), /The file is not UTF-8 text/);
  assert.equal(failed.stopped?.doneToLine, batchRows + 1);

  const stopping = new AbortController();
  const slow = (async function* () {
    yield Buffer.from(header + rows.slice(0, batchRows).join(''));
    stopping.abort();
    yield Buffer.from(rows.slice(batchRows).join(''));
  })();
  const other = await openImports(service);
  const stopped = await other.take(slow, { ...twice(file), signal: stopping.signal });
  // The manager of everybody is the first of the first batch: one row less of the others.
  assert.deepEqual([stopped.stopped?.doneToLine, stopped.rows], [batchRows, batchRows]);
  for (const { take: repeat, list: everybody } of [{ take, list }, other]) {
    assert.equal((await repeat(file, twice(file))).stopped, null);
    const managed = (await everybody()).filter(({ manager }) => manager === `p${count}@example.com`);
    assert.equal(managed.length, count - 1);
  }
});

test('rows that do not fit are left to their places', () => {
  const rows = new RowsAhead(({ cells: [email, manager] }) => ({ email, manager, employeeNumber: undefined }));
  const large = 'x'.repeat(1_000_000);
  for (let nth = 1; nth <= 20; nth++) rows.add({ line: 100 + nth, cells: [`p${nth}@example.com`, '', large] });
  const order = (line: number, cells: string[]) => [...rows.inOrder({ line, cells })].map((one) => one.line);
  assert.deepEqual(order(1, ['a', 'p1@example.com']), [101, 1]);
  assert.deepEqual(order(2, ['b', 'p1@example.com']), [2], 'a row is taken once');
  assert.deepEqual(order(3, ['c', 'p20@example.com']), [3]);
  assert.deepEqual(order(101, ['p1@example.com', '']), []);
  assert.deepEqual(order(102, ['p2@example.com', 'p3@example.com']), [103, 102]);
  assert.deepEqual(order(110, ['p10@example.com', 'p2@example.com']), [110], 'a row whose place has passed');
  assert.deepEqual(order(120, ['p20@example.com', '']), [120]);
});

test('after all of this the books agree', async () => {
  assert.deepEqual(await readWrongs(database), []);
});
