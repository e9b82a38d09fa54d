import type { OrderBudget, OrderRequest, OrderValidation } from '@giftwire/sdk';
import { type GiftRow, orderItemOf } from './file/rows.ts';
import { mostInOrder, type Terms } from './job/plan.ts';
import type { RowAnswer } from './verdicts.ts';

interface Checking {
  validate: (order: OrderRequest, signal: AbortSignal) => Promise<OrderValidation>;
  /** Called with the answers of some rows. `general` is what is wrong with all of them. */
  onAnswers: (answers: ReadonlyMap<number, RowAnswer>, general: readonly string[], budget: OrderBudget | null) => void;
  signal: AbortSignal;
}

const atOnce = 2;

/** Has the service try the rows, a thousand at a time. Rows with faults of their own are not asked about. */
export async function checkRows(rows: readonly GiftRow[], terms: Terms, checking: Checking): Promise<void> {
  const asked = rows.filter(({ faults }) => faults.length === 0);
  const pieces: GiftRow[][] = [];
  for (let from = 0; from < asked.length; from += mostInOrder) pieces.push(asked.slice(from, from + mostInOrder));
  const waiting = pieces.values();
  const work = async () => {
    for (const piece of waiting) await checkPiece(piece, terms, checking);
  };
  await Promise.all(Array.from({ length: atOnce }, work));
}

async function checkPiece(piece: readonly GiftRow[], terms: Terms, { validate, onAnswers, signal }: Checking) {
  signal.throwIfAborted();
  const { currency, language, deliverAt } = terms;
  const order = { orderItems: piece.map(orderItemOf), currency, language, deliverAt };
  const { items, faults, budget } = await validate(order, signal);
  const answers = new Map<number, RowAnswer>();
  for (const [at, item] of items.entries()) answers.set((piece[at] as GiftRow).number, { item, faults: [] });
  for (const fault of faults) {
    const row = fault.item === null ? undefined : piece[fault.item];
    if (row) answers.get(row.number)?.faults.push(fault);
  }
  // Whether the budget suffices is decided by the rows that are ready, of all pieces together.
  const isOver = budget !== null && budget.left < 0;
  const others = faults.filter(({ item, path }) => item === null && !(isOver && path === null));
  const general = others.map(({ path, problem }) => `${path ?? ''} ${problem}`.trim());
  onAnswers(answers, general, budget);
}
