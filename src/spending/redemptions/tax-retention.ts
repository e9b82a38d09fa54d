import { createHash } from 'node:crypto';
import { inEachWorkspace } from '../../company/workspaces/each.ts';
import { inWorkspace } from '../../company/workspaces/lock.ts';
import { seal } from '../../company/workspaces/seals.ts';
import { type Database, type Queryable, queryOne } from '../../ground/database/database.ts';
import { neutralText } from '../../ground/values/personal.ts';
import { lineOfPeople } from './payroll-lines.ts';
import { payrollRecord } from './sealed.ts';

/** So few that their lines of one file are changed within milliseconds. */
const peopleAtOnce = 100;
const linesAtOnce = 1_000;

/**
 * Removes what tax law no longer demands of erased people: their names in the tax log, and the texts of their lines in payroll files. Amounts stay. Returns how
 * many people.
 */
export async function removeOldIdentities(database: Database): Promise<number> {
  const due = await database.query<{ workspaceId: number }>(
    `select distinct workspace_id as "workspaceId" from tax_identities where ${isOver}`,
  );
  let removed = 0;
  await inEachWorkspace(due, async ({ workspaceId }) => {
    for (let people = await readDue(database, workspaceId); people.length > 0; ) {
      for (const number of await findFiles(database, workspaceId, people))
        await removeFromFile(database, workspaceId, number, people);
      const sql = 'delete from tax_identities where workspace_id = $1 and member_id = any($2::bigint[]) returning 1';
      removed += (await database.query(sql, [workspaceId, people])).length;
      people = await readDue(database, workspaceId);
    }
  });
  return removed;
}

const isOver = 'keep_until < current_date';

async function readDue(on: Queryable, workspaceId: number): Promise<number[]> {
  const rows = await on.query<{ id: number }>(
    `select member_id as id from tax_identities where workspace_id = $1 and ${isOver} order by member_id limit $2`,
    [workspaceId, peopleAtOnce],
  );
  return rows.map(({ id }) => id);
}

/** All records of the people: gifts stay with the record that received them. */
const records = 'array(select id from members where workspace_id = $1 and (id = any($2) or merged_into = any($2)))';

async function findFiles(on: Queryable, workspaceId: number, people: readonly number[]): Promise<number[]> {
  const rows = await on.query<{ number: number }>(
    `select distinct number from (${lineOfPeople('$1', records, 'l.number')}) files where $2::bigint[] is not null order by 1`,
    [workspaceId, people],
  );
  return rows.map(({ number }) => number);
}

/**
 * Removes the texts of the lines about some people from a file, and gives it the hash that it has then. A file that did not have its hash before
 * does not get one: verification still reports it. It is read before the workspace's lock is taken; if another process has changed it meanwhile, it is read again.
 */
async function removeFromFile(
  database: Database,
  workspaceId: number,
  number: number,
  people: readonly number[],
): Promise<void> {
  const theirs = await database.query<{ nth: number }>(
    `select nth from (${lineOfPeople('$1', records, 'l.nth, l.number')}) lines where number = $3`,
    [workspaceId, people, number],
  );
  const nths = theirs.map(({ nth }) => nth);
  for (let done = false; !done; ) {
    const { hash, before, after, removed } = await readFile(database, workspaceId, number, new Set(nths));
    done = await inWorkspace(database, workspaceId, async (tx) => {
      if ((await readFileHead(tx, workspaceId, number)).hash !== hash) return false;
      await tx.query(
        'update payroll_lines set text = $4 where workspace_id = $1 and number = $2 and nth = any($3::int[])',
        [workspaceId, number, nths, removed],
      );
      if (before !== hash) return true;
      await tx.query(`update payroll_exports set hash = decode($3, 'hex') where workspace_id = $1 and number = $2`, [
        workspaceId,
        number,
        after,
      ]);
      await seal(tx, workspaceId, { record: payrollRecord, keys: [number] });
      return true;
    });
  }
}

interface FileHead {
  header: string;
  lines: number;
  /** As it is stored. */
  hash: string;
}

async function readFileHead(on: Queryable, workspaceId: number, number: number): Promise<FileHead> {
  return queryOne<FileHead>(
    on,
    `select header, lines, encode(hash, 'hex') as hash from payroll_exports where workspace_id = $1 and number = $2`,
    [workspaceId, number],
  );
}

interface ReadFile extends FileHead {
  /** What the file has as its hash now. */
  before: string;
  /** What it has without the texts of these lines. */
  after: string;
  /** What a line becomes. It has as many cells as the others. */
  removed: string;
}

/** Reads a file without these lines, piece by piece. */
async function readFile(
  on: Queryable,
  workspaceId: number,
  number: number,
  nths: ReadonlySet<number>,
): Promise<ReadFile> {
  const head = await readFileHead(on, workspaceId, number);
  const commas = head.header.replaceAll(/"[^"]*"/g, '').replaceAll(/[^,]/g, '');
  const removed = `${neutralText}${commas}\n`;
  const before = createHash('sha256').update(head.header);
  const after = createHash('sha256').update(head.header);
  for (let last = 0; last < head.lines; last += linesAtOnce) {
    const lines = await on.query<{ nth: number; text: string }>(
      'select nth, text from payroll_lines where workspace_id = $1 and number = $2 and nth > $3 and nth <= $4 order by nth',
      [workspaceId, number, last, last + linesAtOnce],
    );
    for (const { nth, text } of lines) {
      before.update(text);
      after.update(nths.has(nth) ? removed : text);
    }
  }
  return { ...head, before: before.digest('hex'), after: after.digest('hex'), removed };
}
