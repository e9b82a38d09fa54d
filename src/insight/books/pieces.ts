import { type Queryable, queryCount, queryOne, queryOptional } from '../../ground/database/database.ts';
import { readContent } from './checkpoint.ts';
import type { LedgerFault } from './checks.ts';
import { comparedOrders, openingProblems } from './order-checks.ts';
import { checksAtOnce, entriesPiece, nextEntry, type Subject, someOrders, subjects } from './piece-checks.ts';
import { findProblems, ifReadable, unreadable } from './readable.ts';
import { sealedRecords } from './sealed.ts';
import { verifySince } from './since.ts';

/** What comes next in a full verification. */
export type VerificationStage = 'begin' | 'entries' | Subject['name'] | 'end' | 'store';

const stages: readonly VerificationStage[] = ['begin', 'entries', ...subjects.map(({ name }) => name), 'end', 'store'];

/** Amounts by currency, as text. */
type Totals = Record<string, string>;

/** How far a full verification has come. */
export interface Progress {
  stage: VerificationStage;
  /** The last key that was read in the stage; null: it begins. */
  after: string | null;
  /** As JSON texts: amounts keep all their digits. */
  carried: {
    /** The state of the books at the beginning; in the stage `store`, at the end. */
    content?: string;
    /** The balances after the latest entry that was read. */
    balances?: string;
    /** What the gifts of the time before the ledger add up to, by currency. */
    older?: Totals;
  };
}

export interface ComparedPiece {
  faults: LedgerFault[];
  rows: number;
  next: Progress;
  /** About how many rows all pieces have; only the first one says it. */
  expected?: number;
}

/** A piece of this size takes a second or so. Pieces about orders read all seals and entries, so there are few of them. */
const pieceRows = { entries: 2_000, seals: 2_000, orders: 20_000, redemptions: 20_000, codes: 20_000 };
const mostPieces = 50;

/**
 * Compares the next piece, in the snapshot of `tx`. Pieces are of different moments: each compares rows that changed together, and the last one compares
 * what has changed since the first, with all balances.
 */
export async function comparePiece(
  tx: Queryable,
  workspaceId: number,
  progress: Progress,
  most: Partial<typeof pieceRows> = {},
): Promise<ComparedPiece> {
  const rows = { ...pieceRows, ...most };
  if (progress.stage === 'begin') return begin(tx, workspaceId);
  if (progress.stage === 'entries') return compareEntries(tx, workspaceId, progress, rows.entries);
  if (progress.stage === 'end') return end(tx, workspaceId, progress);
  const subject = subjects.find(({ name }) => name === progress.stage) as Subject;
  return compareSubject(tx, workspaceId, progress, subject, rows[subject.name]);
}

async function begin(tx: Queryable, workspaceId: number): Promise<ComparedPiece> {
  const faults = await runAll(tx, checksAtOnce, [workspaceId]);
  const content = await readContent(tx, workspaceId, sealedRecords);
  let expected = await queryCount(tx, entriesSql, [workspaceId]);
  for (const { count } of subjects) expected += await queryCount(tx, count, [workspaceId, null, null]);
  return { faults, rows: 0, expected, next: after({ stage: 'begin', after: null, carried: { content } }) };
}

const entriesSql = 'select count(*) as count from ledger_entries where workspace_id = $1';

async function compareEntries(
  tx: Queryable,
  workspaceId: number,
  progress: Progress,
  most: number,
): Promise<ComparedPiece> {
  const { balances = '{}', ...carried } = progress.carried;
  const [budgetId, number] = (progress.after ?? '0/0').split('/');
  const upto = await queryOptional<{ budgetId: number; number: number }>(tx, nextEntry, [
    workspaceId,
    budgetId,
    number,
    most,
  ]);
  const read = await queryOne<{ faults: LedgerFault[]; rows: number; balances: string | null }>(
    tx,
    entriesPiece,
    [workspaceId, budgetId, number, carried.content, upto?.budgetId ?? null, upto?.number ?? null, balances],
    'once',
  );
  const { faults, rows } = read;
  if (!upto) return { faults, rows, next: after({ ...progress, carried }) };
  const next = {
    ...progress,
    after: `${upto.budgetId}/${upto.number}`,
    carried: { ...carried, balances: read.balances ?? '{}' },
  };
  return { faults, rows, next };
}

async function compareSubject(
  tx: Queryable,
  workspaceId: number,
  progress: Progress,
  { name, next: nextSql, count, checks }: Subject,
  least: number,
): Promise<ComparedPiece> {
  const from = progress.after;
  const all = name === 'orders' ? await queryCount(tx, ordersSql, [workspaceId]) : 0;
  const size = Math.max(least, Math.ceil(all / mostPieces));
  const { upto = null } = (await queryOptional<{ upto: string }>(tx, nextSql, [workspaceId, from, size])) ?? {};
  const range: Range = [workspaceId, from, upto];
  const orders = name === 'orders' ? await compareOrders(tx, range) : { faults: [], older: {} };
  const faults = [...orders.faults, ...(await runAll(tx, checks, range))];
  const rows = await queryCount(tx, count, range);
  const older = await add(tx, progress.carried.older ?? {}, orders.older);
  const here = { ...progress, carried: { ...progress.carried, older } };
  return { faults, rows, next: upto === null ? after(here) : { ...here, after: upto } };
}

const ordersSql = 'select count(*) as count from order_requests where workspace_id = $1';

type Range = readonly [workspaceId: number, ...unknown[]];

function compareOrders(tx: Queryable, range: Range): Promise<{ faults: LedgerFault[]; older: Totals }> {
  return ifReadable(
    tx,
    () => queryOne(tx, comparedOrders(someOrders), range, 'once'),
    (code) => ({ faults: [unreadable(range[0], code)], older: {} }),
  );
}

/** The database adds amounts: it keeps all their digits. */
async function add(tx: Queryable, totals: Totals, more: Totals): Promise<Totals> {
  if (Object.keys(more).length === 0) return totals;
  const { sums } = await queryOne<{ sums: Totals }>(
    tx,
    `select json_object_agg(key, total) as sums
       from (select key, sum(value::numeric)::text as total
               from (select * from json_each_text($1::json) union all select * from json_each_text($2::json)) both_totals
              group by key) totals`,
    [JSON.stringify(totals), JSON.stringify(more)],
    'once',
  );
  return sums;
}

async function end(tx: Queryable, workspaceId: number, { carried }: Progress): Promise<ComparedPiece> {
  const { content = '{}', older = {} } = carried;
  const opening = await findProblems(tx, openingProblems, [workspaceId, JSON.stringify(older)]);
  const faults = [...opening, ...(await verifySince(tx, workspaceId, content))];
  const now = await readContent(tx, workspaceId, sealedRecords);
  return { faults, rows: 0, next: { stage: 'store', after: null, carried: { content: now } } };
}

function after(progress: Progress): Progress {
  const stage = stages[stages.indexOf(progress.stage) + 1] as VerificationStage;
  return { stage, after: null, carried: progress.carried };
}

async function runAll(tx: Queryable, checks: readonly string[], values: Range): Promise<LedgerFault[]> {
  const found: LedgerFault[] = [];
  for (const check of checks) found.push(...(await findProblems(tx, check, values)));
  return found;
}
