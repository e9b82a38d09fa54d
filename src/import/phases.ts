import type { Database } from '../database/database.ts';
import { inTransaction, planBatch, savePlan } from './batch.ts';
import { noteChange } from './changes.ts';
import type { Claims, Person } from './claims.ts';
import { findLeavers, leaversWithoutAsking, saveLeavers } from './leavers.ts';
import { identifyManagers, type OpenManager, saveManagers } from './managers.ts';
import { type Reading, readPerson } from './person.ts';
import type { Leaver, Renumbering } from './plan.ts';
import type { CsvRecord } from './records.ts';
import type { RejectedRows } from './rejected.ts';

export interface Counts {
  rows: number;
  added: number;
  changed: number;
  unchanged: number;
  /** Rows that say once more what an earlier one has said. */
  repeated: number;
  rejected: number;
  /** Of those who are changed. */
  leaving: number;
  returning: number;
  /** Those who would leave, and do not because they are too many at once. */
  heldBack: number;
  /** Those who were taken, but for a manager whom nobody knows. */
  withoutManager: number;
  /** Those whose manager is only a name in the file, which was left out. */
  managerNames: number;
}

/** What one import carries from batch to batch. */
export interface Run {
  database: Database;
  workspaceId: number;
  isDryRun: boolean;
  renumbering: Renumbering;
  allowedLeavers: number | undefined;
  /** How many people were here when it began. */
  here: number;
  reading: Reading;
  claims: Claims;
  rejected: RejectedRows;
  counts: Counts;
  /** Where a change is to be listed for each. */
  listed: Person[];
  /** Those who can only be found once all rows are known. */
  managers: OpenManager[];
  leavers: Leaver[];
  /** The last line whose row was taken or rejected. */
  doneToLine: number;
  isStopped(): boolean;
}

const batchRows = 2_000;

/**
 * Takes the rows, then the managers who stood further down, then those who leave. Each batch is a transaction: when a run is
 * stopped, or one of them fails, all batches before it are done.
 */
export async function takeFile(run: Run, records: AsyncIterable<CsvRecord>): Promise<void> {
  let batches = 0;
  for await (const batch of inBatches(records, batchRows)) {
    if (run.isStopped()) return;
    if (!run.isDryRun && isPowerOfTwo(batches++)) await run.database.query('analyze members, teams, team_members');
    await takeRows(run, batch);
  }
  while (run.managers.length > 0 && !run.isStopped()) {
    await takeManagers(run, run.managers.slice(0, batchRows));
    run.managers.splice(0, batchRows);
  }
  const allowed = run.allowedLeavers ?? leaversWithoutAsking(run.here);
  if (run.leavers.length > allowed && !run.isStopped()) holdBack(run);
  while (run.leavers.length > 0 && !run.isStopped()) {
    await takeLeavers(run, run.leavers.slice(0, batchRows));
    run.leavers.splice(0, batchRows);
  }
}

async function takeRows(run: Run, records: readonly CsvRecord[]): Promise<void> {
  const { workspaceId, claims, rejected, counts } = run;
  const read = records.map((record) => ({ record, person: readPerson(record, run.reading) }));
  const rows = read.flatMap(({ person }) => (typeof person === 'string' ? [] : [person]));
  const plan = await inTransaction(run, async (tx) => {
    const planned = await planBatch(tx, claims, rows, run.renumbering);
    if (!run.isDryRun) await savePlan(tx, workspaceId, planned);
    return planned;
  });
  for (const { person } of plan.steps.flatMap((step) => step.additions)) {
    // Nobody has such an id, and each of these people has another.
    if (run.isDryRun) person.id = -person.line;
    claims.people.set(person.id, person);
  }
  for (const { record, person } of read) if (typeof person === 'string') rejected.add(record, person);
  for (const { row, reason } of plan.rejected) rejected.add(row, reason);
  for (const open of plan.managers) run.managers.push(open);
  for (const leaver of plan.leavers) run.leavers.push(leaver);
  for (const person of plan.people) {
    counts[person.outcome]++;
    if (person.change) run.listed.push(person);
  }
  counts.rows += records.length;
  counts.rejected += records.length - rows.length + plan.rejected.length;
  counts.repeated += plan.repeated;
  counts.returning += plan.returning;
  counts.managerNames += rows.filter(({ managerIsName }) => managerIsName).length;
  run.doneToLine = records.at(-1)?.line ?? run.doneToLine;
}

async function takeManagers(run: Run, batch: readonly OpenManager[]): Promise<void> {
  const { workspaceId, claims, rejected, counts } = run;
  const found = await inTransaction(run, async (tx) => {
    const ids = await identifyManagers(tx, claims, batch);
    if (!run.isDryRun) await saveManagers(tx, workspaceId, batch, ids);
    return ids;
  });
  for (const [nth, { person, line, cells, currentManagerId }] of batch.entries()) {
    const id = found[nth];
    if (typeof id === 'string') {
      rejected.add({ line, cells: JSON.parse(cells) }, id);
      counts.withoutManager++;
    } else if (id !== null && id !== currentManagerId) countChange(run, person, 'manager');
  }
}

async function takeLeavers(run: Run, batch: readonly Leaver[]): Promise<void> {
  const leaving = await inTransaction(run, async (tx) => {
    const found = await findLeavers(tx, run.claims, batch);
    if (!run.isDryRun) await saveLeavers(tx, run.workspaceId, found);
    return found;
  });
  run.counts.leaving += leaving.length;
  for (const { person } of leaving) {
    countChange(run, person, 'active');
    if (person.change) person.change.change = 'leaves';
  }
}

/** Nobody is made a leaver, because so many at once are rather a mistake in the file. */
function holdBack({ leavers, counts }: Run): void {
  counts.heldBack = leavers.length;
  for (const { person } of leavers.splice(0)) if (person.change) person.change.change = 'heldBack';
}

function countChange({ counts }: Run, person: Person, field: string): void {
  if (!noteChange(person, [field])) return;
  counts.changed++;
  counts.unchanged--;
}

/** As often as the table may have doubled: the planner has to know by when to look people up by which key. */
function isPowerOfTwo(count: number): boolean {
  return count > 0 && Math.log2(count) % 1 === 0;
}

async function* inBatches<T>(items: AsyncIterable<T>, size: number): AsyncGenerator<T[]> {
  let batch: T[] = [];
  for await (const item of items) {
    batch.push(item);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
