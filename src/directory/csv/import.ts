import type { Database } from '../../database/database.ts';
import { Failure } from '../../errors.ts';
import { checkWorkspace } from '../workspace.ts';
import { inTransaction, planBatch, saveManagers, savePlan } from './batch.ts';
import { type Claims, createClaims, type Person } from './claims.ts';
import {
  type Field,
  type HeaderMap,
  knownFields,
  missingHeaders,
  type Understood,
  understandHeader,
} from './columns.ts';
import { decode } from './decode.ts';
import { findManagers } from './managers.ts';
import { type PersonRow, readPerson } from './person.ts';
import type { OpenManager } from './plan.ts';
import { type CsvRecord, readRecords } from './records.ts';
import { createRejectedRows, type RejectedRows, type WriteText } from './rejected.ts';

export interface ImportOptions {
  workspaceId: number;
  isDryRun?: boolean;
  encoding?: string | undefined;
  headers?: HeaderMap;
  /** Where rows go that cannot be taken. */
  writeRejected: WriteText;
}

export interface ImportOutcome {
  rows: number;
  added: number;
  changed: number;
  unchanged: number;
  rejected: number;
  /** Those who were taken, but for a manager whom nobody knows. */
  withoutManager: number;
  /** The header of each field that was read. */
  columns: Partial<Record<Field, string>>;
  notUnderstood: string[];
  superseded: string[];
}

const batchRows = 2_000;

/**
 * Imports people from CSV. Rows are taken in batches, each in a transaction of its own that holds the workspace's lock,
 * so that orders go on in between; what cannot be taken is written down, and the rest goes on. People who are in the
 * directory as the file has them are not written. A dry run decides in the same way and writes nothing.
 */
export async function importMembers(
  database: Database,
  bytes: AsyncIterable<Uint8Array>,
  options: ImportOptions,
): Promise<ImportOutcome> {
  await checkWorkspace(database, options.workspaceId);
  const records = readRecords(decode(bytes, options.encoding));
  try {
    const header = await readHeader(records);
    const { columns, notUnderstood, superseded } = understand(header, options.headers ?? new Map());
    const { workspaceId, isDryRun = false } = options;
    const rejected = createRejectedRows(header, options.writeRejected);
    const run: Run = {
      database,
      workspaceId,
      isDryRun,
      claims: createClaims(workspaceId),
      rejected,
      managers: [],
    };
    const counts = { rows: 0, added: 0, changed: 0, unchanged: 0, rejected: 0, withoutManager: 0 };
    let batches = 0;
    for await (const batch of inBatches(records, batchRows)) {
      if (!isDryRun && isPowerOfTwo(batches++)) await database.query('analyze members, teams, team_members');
      const people = await takeRows(run, readPeople(batch, columns, header.length, rejected));
      for (const { outcome } of people) counts[outcome]++;
      counts.rows += batch.length;
      counts.rejected += batch.length - people.length;
    }
    for (let from = 0; from < run.managers.length; from += batchRows) {
      const { changed, unknown } = await takeManagers(run, run.managers.slice(from, from + batchRows));
      counts.changed += changed;
      counts.unchanged -= changed;
      counts.withoutManager += unknown;
    }
    const named = Object.fromEntries([...columns].map(([field, column]) => [field, header[column]]));
    return { ...counts, columns: named, notUnderstood, superseded };
  } finally {
    await records.return(undefined);
  }
}

/** What one import carries from batch to batch. */
interface Run {
  database: Database;
  workspaceId: number;
  isDryRun: boolean;
  claims: Claims;
  rejected: RejectedRows;
  /** Those who can only be found once all rows are known. */
  managers: OpenManager[];
}

async function takeRows(run: Run, rows: PersonRow[]): Promise<Person[]> {
  const { workspaceId, claims, rejected, managers } = run;
  const plan = await inTransaction(run, async (tx) => {
    const planned = await planBatch(tx, workspaceId, claims, rows);
    if (!run.isDryRun) await savePlan(tx, workspaceId, planned);
    // Nobody has such an id, and each of these people has another.
    else for (const { person } of planned.steps.flatMap((step) => step.additions)) person.id = -person.line;
    return planned;
  });
  for (const { row, reason } of plan.rejected) rejected.add(row, reason);
  await rejected.flush();
  for (const open of plan.managers) managers.push(open);
  return plan.people;
}

/** Returns how many people are changed by this alone, and how many have a manager whom nobody knows. */
async function takeManagers(run: Run, batch: OpenManager[]): Promise<{ changed: number; unknown: number }> {
  const { workspaceId, claims, rejected } = run;
  const found = await inTransaction(run, async (tx) => {
    const ids = await findManagers(tx, workspaceId, claims, batch);
    if (!run.isDryRun) await saveManagers(tx, workspaceId, batch, ids);
    return ids;
  });
  const taken = { changed: 0, unknown: 0 };
  for (const [nth, { person, line, cells, currentManagerId }] of batch.entries()) {
    const id = found[nth];
    if (typeof id === 'string') {
      rejected.add({ line, cells: JSON.parse(cells) }, id);
      taken.unknown++;
    } else if (id !== currentManagerId && person.outcome === 'unchanged') taken.changed++;
  }
  await rejected.flush();
  return taken;
}

async function readHeader(records: AsyncGenerator<CsvRecord>): Promise<string[]> {
  const { value } = await records.next();
  if (!value) throw new Failure('setup', 'The file is empty: its first line has to name the columns.');
  // Names are shown on terminals, which text from outside must not steer.
  if (value.problem === undefined) return value.cells.map((name: string) => name.replace(/\p{Cc}+/gu, ' ').trim());
  throw new Failure('setup', `The first line has to name the columns, but ${value.problem}.`);
}

function understand(header: readonly string[], mapped: HeaderMap): Understood {
  const missing = missingHeaders(header, mapped);
  if (missing.length > 0)
    throw new Failure('invalid', `The file has no column ${missing.join(', ')}. It has ${header.join(', ')}.`);
  const understood = understandHeader(header, mapped);
  if (understood.columns.has('email') || understood.columns.has('employeeNumber')) return understood;
  throw new Failure(
    'setup',
    `No column is an email or an employeeNumber: ${header.join(', ')}. Known: ${knownFields.join(', ')}. ` +
      'Say which is which with --map "Header=field".',
  );
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

function readPeople(
  records: readonly CsvRecord[],
  columns: Understood['columns'],
  width: number,
  rejected: RejectedRows,
): PersonRow[] {
  return records.flatMap((record) => {
    const person = readPerson(record, columns, width);
    if (typeof person !== 'string') return [person];
    rejected.add(record, person);
    return [];
  });
}
