import type { LedgerEntry, LedgerEntryDetails, LedgerEntryPage } from '../../ground/contract/ledger-entry.ts';
import { type Queryable, queryOptional } from '../../ground/database/database.ts';
import { Failure } from '../../ground/errors.ts';
import { pageFields } from '../../ground/values/page.ts';
import { entryText } from './entry.ts';
import { countEntries, type NumberSpan, numberAt, readSpans } from './entry-numbers.ts';
import { readBudget } from './read.ts';

const entryColumns = `
  e.number, to_char(e.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at, e.type, e.source, e.target, e.amount,
  cardinality(e.requests) as lines, e.detail ->> 'note' as note, encode(e.previous, 'hex') as previous,
  encode(e.hash, 'hex') as hash`;

/** A page of entries, the newest first: a range of numbers, so that the last page is as fast as the first. */
export async function listEntries(
  on: Queryable,
  workspaceId: number,
  budgetId: number,
  { page, size }: { page: number; size: number },
): Promise<LedgerEntryPage> {
  await readBudget(on, workspaceId, budgetId);
  const spans = await readSpans(on, workspaceId, budgetId);
  const entries = await readPiece(on, workspaceId, budgetId, spans, page * size, size);
  return { ...pageFields({ page, size }, countEntries(spans)), entries };
}

/** The entries that have at least `newer` newer ones, `count` of them. */
function readPiece(
  on: Queryable,
  workspaceId: number,
  budgetId: number,
  spans: readonly NumberSpan[],
  newer: number,
  count: number,
): Promise<LedgerEntry[]> {
  return on.query<LedgerEntry>(
    `select ${entryColumns}
       from ledger_entries e
      where e.workspace_id = $1
        and e.budget_id = $2
        and e.number <= $3
        and e.number > $4
      order by e.number desc`,
    [workspaceId, budgetId, numberAt(spans, newer), numberAt(spans, newer + count)],
  );
}

export const entryCsvColumns = ['number', 'at', 'type', 'source', 'target', 'amount', 'lines', 'note', 'hash'] as const;

const pieceSize = 500;

/** All entries, the newest first, some hundred at a time. */
export async function* streamEntries(
  on: Queryable,
  workspaceId: number,
  budgetId: number,
): AsyncGenerator<Record<string, unknown>[]> {
  await readBudget(on, workspaceId, budgetId);
  const spans = await readSpans(on, workspaceId, budgetId);
  const total = countEntries(spans);
  for (let newer = 0; newer < total; newer += pieceSize) {
    const entries = await readPiece(on, workspaceId, budgetId, spans, newer, pieceSize);
    yield entries as unknown as Record<string, unknown>[];
  }
}

/** One entry; the latest where no number is given. */
export async function readEntry(
  on: Queryable,
  workspaceId: number,
  budgetId: number,
  number: number | null,
): Promise<LedgerEntry> {
  const entry = await queryOptional<LedgerEntry>(
    on,
    `select ${entryColumns}
       from ledger_entries e
      where e.workspace_id = $1
        and e.budget_id = $2
        and ($3::bigint is null or e.number = $3)
      order by e.number desc
      limit 1`,
    [workspaceId, budgetId, number],
  );
  if (!entry) throw noEntry();
  return entry;
}

interface Row extends LedgerEntry {
  text: string;
  requests: string[];
  positions: number[];
  amounts: number[];
}

/** An entry with everything that its hash is made of. */
export async function readEntryDetails(
  on: Queryable,
  workspaceId: number,
  budgetId: number,
  number: number,
): Promise<LedgerEntryDetails> {
  const row = await queryOptional<Row>(on, detailsSql, [workspaceId, budgetId, number]);
  if (!row) throw noEntry();
  const { requests, positions, amounts, ...entry } = row;
  const orders = requests.map((requestId, nth) => ({
    requestId,
    position: positions[nth] ?? null,
    amount: amounts[nth] as number,
  }));
  return { ...entry, orders };
}

function noEntry(): Failure {
  return new Failure('missing', 'There is no entry with this number in this budget.');
}

/** The text of the entry `e` of the budget `b`. */
export const storedColumns = {
  previous: 'e.previous',
  workspaceId: 'e.workspace_id',
  budgetId: 'e.budget_id',
  currency: 'b.currency',
  number: 'e.number',
  at: 'e.at',
  type: 'e.type',
  source: 'e.source',
  target: 'e.target',
  amount: 'e.amount',
  requests: 'e.requests',
  positions: 'e.positions',
  amounts: 'e.amounts',
  detail: 'e.detail',
};

const detailsSql = `
  select ${entryColumns}, ${entryText(storedColumns)} as text, e.requests, e.positions, e.amounts::float8[] as amounts
    from ledger_entries e
    join budgets b on b.workspace_id = e.workspace_id and b.id = e.budget_id
   where e.workspace_id = $1
     and e.budget_id = $2
     and e.number = $3`;
