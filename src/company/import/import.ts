import { randomUUID } from 'node:crypto';
import type { Actor } from '../../ground/contract/actor.ts';
import type { Database } from '../../ground/database/database.ts';
import { Failure } from '../../ground/errors.ts';
import type { DateOrder } from '../../ground/sheets/date-order.ts';
import { type CsvRecord, readRecords } from '../../ground/sheets/records.ts';
import type { CustomField } from '../../ground/values/custom-field.ts';
import { listCustomFields } from '../directory/custom-fields.ts';
import { readToday } from '../workspaces/days.ts';
import { checkWorkspace } from '../workspaces/workspaces.ts';
import { type Advice, commandAdvice } from './advice.ts';
import { type ListedChange, listChanges } from './changes.ts';
import { createClaims } from './claims.ts';
import { type ColumnValues, ValuesSeen } from './column-values.ts';
import {
  customColumn,
  type Field,
  type HeaderMap,
  headersText,
  missingHeaders,
  type Understood,
  understandHeader,
} from './columns.ts';
import { type DamagedNumber, readZeroLengths } from './damaged-numbers.ts';
import { decode } from './decode.ts';
import { countHere, leaversWithoutAsking } from './leavers.ts';
import type { OpenColumn } from './open-columns.ts';
import { closeImport } from './open-imports.ts';
import type { ValueMap } from './person.ts';
import { type CountedName, type Counts, type Run, takeFile } from './phases.ts';
import type { Renumbering } from './plan.ts';
import type { LeavingOptions } from './read-leaving.ts';
import { createRejectedRows, type WriteText } from './rejected.ts';
import { type CountedText, TextCounts } from './text-counts.ts';
import { WaitingRows } from './waiting-rows.ts';
import { Written } from './written.ts';

const usualBatchRows = 2_000;

export interface ImportOptions extends LeavingOptions {
  workspaceId: number;
  actor: Actor;
  isDryRun?: boolean;
  /** How many rows each transaction takes. */
  batchRows?: number;
  encoding?: string | undefined;
  headers?: HeaderMap | undefined;
  values?: ValueMap | undefined;
  /** Email addresses of people whose employee number may change. */
  renumbering?: Renumbering | undefined;
  /** How many may leave at once; a tenth if absent. */
  allowedLeavers?: number | undefined;
  /** Whether to list the changes of each person. */
  isListing?: boolean;
  /** Of how many people changes are listed, those of the first lines; of all if absent. */
  mostListed?: number;
  /** Opens the file once more, to read ahead in it. Absent if it can be read only once. */
  openAgain?: (() => AsyncIterable<Uint8Array>) | undefined;
  /** Stops the import after the current batch. */
  signal?: AbortSignal;
  /** Receives the rejected rows. */
  writeRejected: WriteText;
  /** Told of each row with a fault, in the order in which they are found. */
  onRejected?: (line: number, reason: string) => void;
}

export interface ImportOutcome extends Counts {
  /** How many may leave without --allow-leavers. */
  leaversWithoutAsking: number;
  /** The header of each field that was read. */
  columns: Partial<Record<Field, string>>;
  /** What the fields have, of a dry run alone. */
  values: ColumnValues[];
  notUnderstood: string[];
  superseded: string[];
  /** Columns that seem to say who has left: an import begins when the caller has said what they are. Found by a dry run alone. */
  openColumns: OpenColumn[];
  /** Statuses that are not understood: their rows are rejected. */
  unknownStatuses: CountedText[];
  /** The order of day and month that the file proves, if one of its dates needs it. */
  dateOrder: DateOrder | null;
  /** Dates that may be two days: their rows are rejected. */
  ambiguousDates: CountedText[];
  /** Texts that were read as empty cells. */
  placeholders: CountedText[];
  /** Employee numbers that a spreadsheet seems to have damaged: their rows are rejected. Those of the first lines. */
  damagedNumbers: DamagedNumber[];
  /** Names of managers that are not those of one person. */
  unknownManagers: CountedName[];
  /** Where the import ended, if it did not finish. */
  stopped: Stopped | null;
  changes: ListedChange[] | null;
}

export interface Stopped {
  /** The error; undefined if it was asked to stop. */
  error: unknown;
  doneToLine: number;
  /** How many rows with a former address, managers and leavers are not taken yet. */
  rowsLeft: number;
  managersLeft: number;
  leaversLeft: number;
}

/**
 * Imports people from CSV. Rows are imported in batches, each in its own transaction with the workspace's lock, so that orders
 * are fulfilled in between. Rows with faults are rejected, and the import continues. People without changes are not written. A dry
 * run makes the same decisions and writes nothing.
 *
 * An import that is stopped, or fails on the way, reports how far it came.
 */
export async function importMembers(
  database: Database,
  bytes: AsyncIterable<Uint8Array>,
  options: ImportOptions,
): Promise<ImportOutcome> {
  const { workspaceId, signal, advice = commandAdvice } = options;
  await checkWorkspace(database, workspaceId);
  const records = readRecords(decode(bytes, options.encoding, advice));
  try {
    const header = await readHeader(records);
    const custom = await listCustomFields(database, workspaceId);
    const understood = understand(header, options.headers ?? new Map(), custom, advice);
    const here = await countHere(database, workspaceId);
    const today = await readToday(database, workspaceId);
    const zeroLengths = await readZeroLengths(database, workspaceId);
    const run = createRun(database, header, understood, options, { here, today, zeroLengths, custom });
    const failed = await takeFile(run, records).then(
      () => null,
      (error: unknown) => ({ error }),
    );
    await end(run, !failed && !run.isStopped());
    // If nothing was done yet, the error is the whole report.
    if (failed && run.doneToLine === 0) throw failed.error;
    await run.rejected.end();
    const { columns, notUnderstood, superseded } = understood;
    return {
      ...run.counts,
      leaversWithoutAsking: leaversWithoutAsking(run.here),
      columns: Object.fromEntries([...columns].map(([field, column]) => [field, header[column]])),
      values: run.values?.list() ?? [],
      notUnderstood,
      superseded,
      openColumns: run.openColumns,
      unknownStatuses: run.notes.unknownStatuses.list(),
      dateOrder: run.dateOrder ?? null,
      ambiguousDates: run.notes.ambiguousDates.list(),
      placeholders: run.notes.placeholders.list(),
      damagedNumbers: run.damagedNumbers,
      unknownManagers: [...run.unknownManagers.values()],
      stopped: failed || signal?.aborted ? stoppedAt(run, failed?.error) : null,
      changes: options.isListing ? listChanges(run.listed, run.mostListed) : null,
    };
  } finally {
    await records.return(undefined);
  }
}

function createRun(
  database: Database,
  header: readonly string[],
  understood: Understood,
  options: ImportOptions,
  known: { here: number; today: string; zeroLengths: Set<number>; custom: CustomField[] },
): Run {
  const { workspaceId, signal, statuses, dateFormat, values, openAgain, batchRows = usualBatchRows } = options;
  const { advice = commandAdvice } = options;
  const { columns } = understood;
  const { here, today, zeroLengths, custom } = known;
  const headerOf = (field: Field) => header[columns.get(field) ?? header.length] ?? field;
  const claims = createClaims({
    workspaceId,
    advice,
    isListing: options.isListing ?? false,
    isDryRun: options.isDryRun ?? false,
    zeroLengths,
    custom,
    saidNumbers: new Set(values?.get('employeeNumber')?.values()),
  });
  return {
    database,
    workspaceId,
    importId: randomUUID(),
    actor: options.actor,
    here,
    isDryRun: options.isDryRun ?? false,
    batchRows,
    written: new Written(claims.people),
    renumbering: options.renumbering ?? new Set(),
    allowedLeavers: options.allowedLeavers,
    reading: { columns, custom, width: header.length, statuses, dateFormat, values, today, advice, headerOf },
    dateOrder: undefined,
    header,
    understood,
    openColumns: [],
    damagedNumbers: [],
    unknownManagers: new Map(),
    notes: { placeholders: new TextCounts(), unknownStatuses: new TextCounts(), ambiguousDates: new TextCounts() },
    values: options.isDryRun ? new ValuesSeen(columns) : null,
    claims,
    rejected: createRejectedRows(header, options.writeRejected, options.onRejected),
    counts: {
      rows: 0,
      added: 0,
      changed: 0,
      unchanged: 0,
      repeated: 0,
      rejected: 0,
      leaving: 0,
      returning: 0,
      heldBack: 0,
      withoutManager: 0,
      managerNames: 0,
    },
    listed: [],
    listedChanges: 0,
    mostListed: options.mostListed ?? Number.POSITIVE_INFINITY,
    waiting: new WaitingRows(batchRows),
    managers: new WaitingRows(batchRows, (row) => claims.people.restore(row)),
    leavers: new WaitingRows(batchRows, (row) => claims.people.restore(row)),
    ownersLeft: [],
    readAgain: openAgain && (() => readRecords(decode(openAgain(), options.encoding, advice))),
    ahead: null,
    doneToLine: 0,
    isStopped: () => signal?.aborted === true,
  };
}

/** A database that is gone is reported by the batch that failed. A worker makes the event later. */
async function end({ database, workspaceId, importId, written }: Run, complete: boolean): Promise<void> {
  if (written.count > 0) await closeImport(database, { workspaceId, importId, complete }).catch(() => {});
}

function stoppedAt({ doneToLine, waiting, managers, leavers }: Run, error: unknown): Stopped {
  return { error, doneToLine, rowsLeft: waiting.length, managersLeft: managers.length, leaversLeft: leavers.length };
}

async function readHeader(records: AsyncGenerator<CsvRecord>): Promise<string[]> {
  const { value } = await records.next();
  if (!value) throw new Failure('setup', 'The file is empty: its first line has to name the columns.');
  // Names are printed on terminals: control characters in them must not take effect.
  if (value.problem === undefined) return value.cells.map((name: string) => name.replace(/\p{Cc}+/gu, ' ').trim());
  throw new Failure('setup', `The first line has to name the columns, but ${value.problem}.`);
}

function understand(
  header: readonly string[],
  mapped: HeaderMap,
  custom: readonly CustomField[],
  advice: Advice,
): Understood {
  const keys = custom.map(({ key }) => customColumn(key));
  const unknown = [...mapped.values()].find((field) => field?.startsWith('custom.') && !keys.includes(field));
  if (unknown)
    throw new Failure(
      'invalid',
      `This workspace has no field ${unknown}: define it first. It has ${keys.join(', ') || 'no custom fields'}.`,
    );
  const missing = missingHeaders(header, mapped);
  if (missing.length > 0)
    throw new Failure('invalid', `The file has no column ${missing.join(', ')}. It has ${header.join(', ')}.`);
  const understood = understandHeader(header, mapped, custom);
  if (understood.columns.has('email') || understood.columns.has('employeeNumber')) return understood;
  throw new Failure(
    'setup',
    `No column is an email or an employeeNumber: ${header.join(', ')}. Known: ${headersText}. ${advice.columns}`,
  );
}
