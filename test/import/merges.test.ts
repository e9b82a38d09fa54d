import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findMember } from '../../src/company/directory/members.ts';
import { mergeMembers } from '../../src/company/directory/merge.ts';
import { theService } from '../../src/company/workspaces/audit.ts';
import { readWrongs } from '../support/books.ts';
import { openImports } from '../support/imports.ts';
import { startService } from '../support/service.ts';

const service = await startService();
const { database } = service;

const batchRows = 100;
/** The rows of two batches, which are done when the third begins. */
const done = 2 * batchRows;
const count = done + 25;
const header = 'email,manager\n';
const row = (nth: number, manager: number | string) =>
  `p${nth}@example.com,${typeof manager === 'number' ? `p${manager}@example.com` : manager}\n`;

/** The file in two pieces; in between, when the first batches are done, records are merged. */
async function importWithMerge(rows: readonly string[], merges: readonly [number, number][]) {
  const { workspaceId, take, list } = await openImports(service);
  const bytes = (async function* () {
    yield Buffer.from(header + rows.slice(0, done).join(''));
    for (const [from, into] of merges)
      await database.transaction(async (tx) => {
        const id = await findMember(tx, workspaceId, `p${into}@example.com`);
        await mergeMembers(tx, theService, workspaceId, await findMember(tx, workspaceId, `p${from}@example.com`), id);
      });
    yield Buffer.from(rows.slice(done).join(''));
  })();
  const outcome = await take(bytes, { batchRows });
  return { outcome, managers: new Map((await list()).map(({ email, manager }) => [email, manager])), take };
}

test('people who are merged while an import runs get their managers, and so does everybody else', async () => {
  // Everybody's manager stands at the end of the file.
  const rows = Array.from({ length: count }, (_, nth) => row(nth + 1, nth + 1 === count ? '' : count));
  const { outcome, managers } = await importWithMerge(rows, [[1, 2]]);
  assert.equal(outcome.stopped, null);
  assert.deepEqual(outcome.counts, [count, 0, 0, 0]);
  assert.equal(managers.size, count - 1);
  assert.deepEqual(
    [...managers].filter(([, manager]) => manager !== `p${count}@example.com`),
    [[`p${count}@example.com`, null]],
  );
});

test('a manager who is merged during an import resolves to the surviving record', async () => {
  // The first is managed by the last, the last ones by the first.
  const rows = Array.from({ length: count }, (_, nth) => row(nth + 1, nth < done ? count : 1));
  const { outcome, managers } = await importWithMerge(rows, [[1, 2]]);
  assert.equal(outcome.stopped, null);
  assert.equal(managers.get(`p${count - 1}@example.com`), 'p2@example.com');
  assert.equal(managers.get('p3@example.com'), `p${count}@example.com`);
});

test("after a merge the surviving record's row counts, and nobody is their own manager", async () => {
  const rows = Array.from({ length: count }, (_, nth) => row(nth + 1, ''));
  rows[0] = row(1, count);
  rows[1] = row(2, count - 1);
  rows[2] = row(3, count - 2);
  rows[done + 10] = row(done + 11, 3);
  const { outcome, managers } = await importWithMerge(rows, [
    [1, 2],
    [4, 3],
  ]);
  assert.equal(managers.get('p2@example.com'), `p${count - 1}@example.com`);
  assert.equal(managers.get(`p${done + 11}@example.com`), 'p3@example.com');
  assert.equal(outcome.withoutManager, 0);

  const together = Array.from({ length: count }, (_, nth) => row(nth + 1, ''));
  together[0] = row(1, 2);
  together[1] = row(2, count);
  together[2] = row(3, 'p1@example.com');
  const own = await importWithMerge(together, [[2, 1]]);
  assert.notEqual(own.managers.get('p1@example.com'), 'p1@example.com');
  assert.equal(own.managers.get('p3@example.com'), 'p1@example.com');
});

test('a failed import says how far it came, and continues from there when repeated', async () => {
  const { workspaceId, take, list } = await openImports(service);
  const rows = Array.from({ length: count }, (_, nth) => row(nth + 1, nth + 1 === count ? '' : count));
  const broken = (async function* () {
    yield Buffer.from(header + rows.slice(0, done).join(''));
    yield Buffer.from([0xff, 0xfe, 0xff]);
  })();
  const { stopped, counts } = await take(broken, { batchRows });
  assert.match(String(stopped?.error), /The file is not UTF-8 text/);
  assert.deepEqual([stopped?.doneToLine, stopped?.managersLeft, stopped?.leaversLeft], [done + 1, done, 0]);
  assert.deepEqual(counts, [done, 0, 0, 0]);
  assert.equal((await list()).length, done);

  const stopping = new AbortController();
  const slow = (async function* () {
    yield Buffer.from(header + rows.slice(0, batchRows).join(''));
    stopping.abort();
    yield Buffer.from(rows.slice(batchRows).join(''));
  })();
  const again = await take(slow, { batchRows, signal: stopping.signal });
  assert.deepEqual(
    [again.stopped?.error, again.stopped?.doneToLine, again.rows],
    [undefined, batchRows + 1, batchRows],
  );
  assert.deepEqual((await take(header + rows.join(''), { batchRows })).counts, [count - done, done, 0, 0]);
  const managed = await database.query('select from members where workspace_id = $1 and manager_id is not null', [
    workspaceId,
  ]);
  assert.equal(managed.length, count - 1);
});

test('after all of this the books agree', async () => {
  assert.deepEqual(await readWrongs(database), []);
});
