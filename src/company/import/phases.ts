import type { Actor } from '../../ground/contract/actor.ts';
import type { Database } from '../../ground/database/database.ts';
import type { DateOrder } from '../../ground/sheets/date-order.ts';
import { shortened } from '../../ground/values/text.ts';
import { lastOwnerText } from '../directory/owners.ts';
import { inBatch, keepPlan, planBatch, savePlan } from './batch.ts';
import { inBatches } from './batches.ts';
import { noteChange } from './changes.ts';
import type { RowClaims } from './claims.ts';
import type { ValuesSeen } from './column-values.ts';
import type { Understood } from './columns.ts';
import type { DamagedNumber } from './damaged-numbers.ts';
import { ambiguousDates, settleDates } from './date-order.ts';
import type { FileRow } from './file-row.ts';
import { findLeavers, leaversWithoutAsking, saveLeavers } from './leavers.ts';
import { findNamesakes, keepNames, type UnknownName } from './manager-names.ts';
import { identifyManagers, reportsToThem, saveManagers } from './managers.ts';
import { findOpenColumns, notSaid, type OpenColumn } from './open-columns.ts';
import { openImport } from './open-imports.ts';
import type { Leaver, OpenManager } from './open-rows.ts';
import type { FilePerson } from './people.ts';
import { type RowNotes, type RowReading, readPerson } from './person.ts';
import type { Plan, Renumbering } from './plan.ts';
import { readAhead } from './read-ahead.ts';
import type { RejectedRows } from './rejected.ts';
import type { RowsAhead } from './rows-ahead.ts';
import type { WaitingRows } from './waiting-rows.ts';
import type { Written } from './written.ts';

export interface Counts {
  rows: number;
  added: number;
  changed: number;
  unchanged: number;
  /** Rows that repeat an earlier row. */
  repeated: number;
  rejected: number;
  /** Counted in `changed` too. */
  leaving: number;
  returning: number;
  /** Those who would leave, but are too many at once. */
  heldBack: number;
  /** Those who were imported without their manager, who is not known. */
  withoutManager: number;
  /** Those whose manager is only a name, and not that of one person. */
  managerNames: number;
}

/** A name of managers that is not that of one person. */
export interface CountedName extends UnknownName {
  rows: number;
}

/** The state of an import from batch to batch. */
export interface Run {
  database: Database;
  workspaceId: number;
  importId: string;
  actor: Actor;
  isDryRun: boolean;
  batchRows: number;
  written: Written;
  renumbering: Renumbering;
  allowedLeavers: number | undefined;
  /** How many people were here when it began. */
  here: number;
  reading: RowReading;
  /** The order of day and month that the file proves; undefined until a date needs it. */
  dateOrder: DateOrder | null | undefined;
  header: readonly string[];
  understood: Understood;
  /** Columns of which a person has to say what they are. */
  openColumns: OpenColumn[];
  notes: RowNotes;
  /** Null unless this is a dry run. */
  values: ValuesSeen | null;
  damagedNumbers: DamagedNumber[];
  unknownManagers: Map<string, CountedName>;
  claims: RowClaims;
  rejected: RejectedRows;
  counts: Counts;
  /** The people whose changes are listed, or may be once their managers or leaving are taken. */
  listed: FilePerson[];
  /** How many of them have changes and are taken at their places. */
  listedChanges: number;
  mostListed: number;
  /** Rows to take after all others: a former address alone identifies their people. */
  waiting: WaitingRows<FileRow>;
  /** Managers to identify after all rows were read. */
  managers: WaitingRows<OpenManager>;
  leavers: WaitingRows<Leaver>;
  /** The owners of the workspace who have left so far, or would have in a dry run. */
  ownersLeft: number[];
  /** Reads the file once more; absent if it can be read only once. */
  readAgain: (() => AsyncIterable<FileRow>) | undefined;
  /** Rows of managers that are taken before their places. */
  ahead: RowsAhead | null;
  /** All rows up to this line were imported or rejected, except for those that wait. */
  doneToLine: number;
  isStopped(): boolean;
}

/** Statistics are refreshed when this many people were added, then eight times as many, so that the planner chooses the right index. */
const growth = 2_000;
// The columns by which people are found: statistics of all columns and expressions take ten times as long.
const analyzeSql = `
  analyze members (workspace_id, id, email_key, employee_number, user_name, manager_id, merged_into, manager_reference),
          member_texts (workspace_id, member_id), teams, team_members`;

/** A person answers these one by one. */
const mostAnswered = 200;
const shownName = 200;

/**
 * Imports the rows, those that wait last, then managers who come later in the file than their people, then leavers. Each batch is a transaction: if
 * the import is stopped or fails, the batches before are done.
 */
export async function takeFile(run: Run, records: AsyncIterable<FileRow>): Promise<void> {
  const { claims } = run;
  const { isListing } = claims;
  let grown = growth;
  if (run.here === 0) await lookAhead(run);
  const inOrder = (record: FileRow) => run.ahead?.inOrder(record) ?? [record];
  for await (const batch of inBatches(records, run.batchRows, inOrder)) {
    if (run.isStopped()) return;
    const isFirst = run.doneToLine === 0;
    if (isFirst) await begin(run, batch);
    await settleDates(run, batch);
    await takeRows(run, batch);
    if (isFirst && !run.ahead && run.counts.added > run.counts.rows / 2) await lookAhead(run);
    if (run.isDryRun || run.counts.added < grown) continue;
    await run.database.query(analyzeSql);
    grown *= 8;
  }
  if (run.waiting.length > 0) await takeWaiting(run, isListing);
  if (!run.isStopped()) await findNamesakes(run.database, claims);
  await takeManagers(run);
  const allowed = run.allowedLeavers ?? leaversWithoutAsking(run.here);
  if (run.leavers.length > allowed && !run.isStopped()) holdBack(run);
  while (run.leavers.length > 0 && !run.isStopped()) {
    await takeLeavers(run, run.leavers.first());
    run.leavers.dropFirst();
  }
}

async function begin(run: Run, batch: readonly FileRow[]): Promise<void> {
  const { database, workspaceId, importId, actor, isDryRun, header, understood } = run;
  run.openColumns = findOpenColumns(header, understood, batch, run.reading);
  if (isDryRun) return;
  const [open] = run.openColumns;
  if (open) throw notSaid(open, run.claims.advice);
  await openImport(database, actor, workspaceId, importId);
}

/** Called if most people seem to be new: for others, reading the file twice costs more than writing some people twice. */
async function lookAhead(run: Run): Promise<void> {
  if (run.readAgain && run.reading.columns.has('manager'))
    run.ahead = await readAhead(run.readAgain(), { ...run, fromLine: run.doneToLine });
}

/** By now it is known of every former address whether the file has its former owner under another one. */
async function takeWaiting(run: Run, isListing: boolean): Promise<void> {
  const { waiting, claims } = run;
  claims.beforeWaiting = claims.people.count;
  // Their lines come before those of people who are listed already.
  claims.isListing = isListing;
  run.listedChanges = 0;
  while (waiting.length > 0 && !run.isStopped()) {
    await takeRows(run, waiting.first());
    waiting.dropFirst();
  }
}

async function takeRows(run: Run, records: readonly FileRow[]): Promise<void> {
  const { claims, rejected, counts } = run;
  // Rows that waited were read before.
  const notes = claims.beforeWaiting === null ? run.notes : undefined;
  const read = records.map((record) => ({ record, person: readPerson(record, run.reading, notes) }));
  const unread = read.flatMap(({ record, person }) => (typeof person === 'string' ? [record] : []));
  for (const { field, text } of ambiguousDates(unread, run.reading)) notes?.ambiguousDates.add(field, text);
  const rows = read.flatMap(({ person }) => (typeof person === 'string' ? [] : [person]));
  if (notes) for (const row of rows) run.values?.add(row);
  const plan = await inBatch(run, async (tx) => {
    const planned = await planBatch(tx, claims, rows, run.renumbering);
    if (!run.isDryRun) await savePlan(tx, claims, planned);
    return planned;
  });
  if (run.isDryRun) keepPlan(claims, plan);
  else claims.people.forgetKeys();
  for (const { record, person } of read) if (typeof person === 'string') rejected.add(record, person);
  for (const { row, reason } of plan.rejected) rejected.add(row, reason);
  run.waiting.add(plan.waiting.map(({ line, cells }) => ({ line, cells, isOutOfPlace: true })));
  run.damagedNumbers.push(...plan.damaged.slice(0, mostAnswered - run.damagedNumbers.length));
  run.managers.add(plan.managers);
  keepNames(claims, plan.managers);
  run.leavers.add(plan.leavers);
  for (const person of plan.people) counts[person.outcome]++;
  counts.rows += records.length - plan.waiting.length;
  counts.rejected += records.length - rows.length + plan.rejected.length;
  counts.repeated += plan.repeated;
  counts.returning += plan.returning;
  run.doneToLine = records.findLast(({ isOutOfPlace }) => !isOutOfPlace)?.line ?? run.doneToLine;
  if (claims.isListing) listPeople(run, plan);
}

/** No more people are listed once this many are whose lines come before all others. */
function listPeople(run: Run, { people, managers, leavers }: Plan): void {
  const open = new Set([...managers, ...leavers].map(({ person }) => person.nth));
  for (const person of people) {
    const hasChanges = person.change?.change !== 'none';
    if (hasChanges || open.has(person.nth)) run.listed.push(person);
    else person.forgetChange();
    if (hasChanges && person.line <= run.doneToLine) run.listedChanges++;
  }
  if (run.listedChanges >= run.mostListed) run.claims.isListing = false;
}

/** A manager who would close a loop is tried again after all others: the row of a person above may open the loop. */
async function takeManagers(run: Run): Promise<void> {
  let looping: OpenManager[] = [];
  while (run.managers.length > 0 && !run.isStopped()) {
    looping.push(...(await takeManagerRows(run, run.managers.first())));
    run.managers.dropFirst();
  }
  for (let before = 0; looping.length !== before && !run.isStopped(); ) {
    before = looping.length;
    looping = await takeManagerRows(run, looping);
  }
  if (run.isStopped()) run.managers.add(looping);
  else for (const row of looping) leaveWithoutManager(run, row, reportsToThem(row));
}

/** Returns the rows whose manager would close a loop. */
async function takeManagerRows(run: Run, batch: readonly OpenManager[]): Promise<OpenManager[]> {
  const { found, looping } = await inBatch(run, async (tx) => {
    const ids = await identifyManagers(tx, run.claims, batch);
    return { found: ids, looping: await saveManagers(tx, run.claims, batch, ids) };
  });
  for (const [nth, row] of batch.entries()) {
    const id = found[nth];
    if (looping.has(row)) continue;
    if (typeof id === 'string') leaveWithoutManager(run, row, id);
    else if (typeof id === 'object' && id !== null) leaveName(run, row, id);
    else if (id !== null && id !== row.currentManagerId) countChange(run, row.person, 'manager');
  }
  return [...looping];
}

/** A column that may have names has them for people to read: a name that is not found is no fault of its row. */
function leaveName(run: Run, row: OpenManager, unknown: UnknownName): void {
  const { counts, unknownManagers, understood } = run;
  const { people } = unknown;
  const name = shortened(unknown.name, shownName);
  const counted = unknownManagers.get(name) ?? { name, people, rows: 0 };
  counted.rows++;
  if (unknownManagers.size < mostAnswered) unknownManagers.set(name, counted);
  const why = people === 0 ? 'is not known' : `may be one of ${people} people`;
  if (understood.managerMayBeName) counts.managerNames++;
  else leaveWithoutManager(run, row, `the manager "${name}" ${why}: the rest of the row was taken`);
}

function leaveWithoutManager({ rejected, counts }: Run, { person, cells }: OpenManager, reason: string): void {
  rejected.add({ line: person.line, cells }, reason);
  counts.withoutManager++;
}

async function takeLeavers(run: Run, batch: readonly Leaver[]): Promise<void> {
  const { leaving, staying, owners } = await inBatch(run, async (tx) => {
    const found = await findLeavers(tx, run.claims, batch, run.ownersLeft);
    if (!run.isDryRun) await saveLeavers(tx, run.workspaceId, found.leaving);
    return found;
  });
  run.ownersLeft.push(...owners);
  run.counts.leaving += leaving.length;
  for (const { person } of leaving) {
    countChange(run, person, 'active');
    if (person.change) person.change.change = 'leaves';
  }
  for (const { person, cells } of staying) {
    run.rejected.add({ line: person.line, cells }, `this person is ${lastOwnerText}; the rest of the row was taken`);
    run.counts[person.outcome]--;
    run.counts.rejected++;
  }
}

/** Marks no one as left: this many leavers suggest a mistake in the file. */
function holdBack({ leavers, counts }: Run): void {
  counts.heldBack = leavers.length;
  for (; leavers.length > 0; leavers.dropFirst())
    for (const { person } of leavers.first()) if (person.change) person.change.change = 'heldBack';
}

function countChange({ counts }: Run, person: FilePerson, field: string): void {
  if (!noteChange(person, [field])) return;
  counts.changed++;
  counts.unchanged--;
}
