import type { OrderBudget, OrderFault, OrderRequest, OrderValidation } from '@giftwire/sdk';
import type { Field } from './file/headers.ts';
import type { GiftRow } from './file/rows.ts';
import { orderOf, piecesOf } from './job/plan.ts';
import type { RowAnswer } from './verdicts.ts';

/** What the service has said about some rows. */
export interface PieceAnswer {
  currency: string;
  answers: ReadonlyMap<number, RowAnswer>;
  /** What is wrong with all of them. */
  general: readonly string[];
  /** On which they draw; null: nothing limits them. */
  budget: OrderBudget | null;
}

interface Checking {
  validate: (order: OrderRequest, signal: AbortSignal) => Promise<OrderValidation>;
  onAnswer: (answer: PieceAnswer) => void;
  signal: AbortSignal;
}

const atOnce = 2;

/** Has the service try rows, as the orders that they would be. */
export async function checkRows(rows: readonly GiftRow[], checking: Checking): Promise<void> {
  const waiting = piecesOf(rows).values();
  const work = async () => {
    for (const piece of waiting) await checkPiece(piece, checking);
  };
  await Promise.all(Array.from({ length: atOnce }, work));
}

async function checkPiece(rows: readonly GiftRow[], { validate, onAnswer, signal }: Checking) {
  signal.throwIfAborted();
  const order = orderOf(rows);
  const { items, faults, budget } = await validate(order, signal);
  const answers = new Map<number, RowAnswer>();
  for (const [at, item] of items.entries()) answers.set((rows[at] as GiftRow).number, { item, faults: [] });
  const general: string[] = [];
  for (const fault of faults) {
    const about = rowsOf(fault, rows);
    for (const { number } of about) answers.get(number)?.faults.push(fault);
    // Whether the budget suffices is decided by the rows that are ready, of all pieces together.
    const isOver = budget !== null && isShort(budget, order) && fault.path === null;
    if (fault.item === null && about.length < rows.length && !isOver)
      general.push(`${fault.path ?? ''} ${fault.problem}`.trim());
  }
  onAnswer({ currency: order.currency, answers, general, budget });
}

/** Whether the rows cost more than the budget has, or than their sender can draw on it this month. */
function isShort({ left, personLeft }: OrderBudget, { orderItems }: OrderRequest): boolean {
  const cost = orderItems.reduce((sum, { amount }) => sum + amount, 0);
  return left < 0 || (personLeft !== null && cost > personLeft);
}

/** The rows that a fault is about: its gift, or those that name what is wrong with the order as a whole themselves. */
function rowsOf({ item, path }: OrderFault, rows: readonly GiftRow[]): GiftRow[] {
  if (item !== null) return rows.slice(item, item + 1);
  return rows.filter(({ texts }) => texts[path as Field]);
}
