import type { OrderBudget } from '@giftwire/sdk';
import { useEffect, useRef, useState } from 'react';
import { giftwire } from '../../data/client.ts';
import { usableBudget } from '../../gift/budget.ts';
import { checkRows, type PieceAnswer } from './check.ts';
import { type GiftRow, orderItemOf } from './file/rows.ts';
import type { RowAnswer } from './verdicts.ts';

interface Checked {
  answers: ReadonlyMap<number, RowAnswer>;
  /** What is wrong with the orders of rows as a whole, by row number. */
  general: ReadonlyMap<number, readonly string[]>;
  /** On which the rows of a currency draw together; null: nothing limits them. */
  budgets: ReadonlyMap<string, OrderBudget | null>;
  error: unknown;
  isBusy: boolean;
}

const nothing: Checked = { answers: new Map(), general: new Map(), budgets: new Map(), error: null, isBusy: false };
/** One may still be typing. */
const settleMs = 400;

/** Has the service try the rows, and those again that have changed since. */
export function useChecked(rows: readonly GiftRow[]) {
  const [checked, setChecked] = useState(nothing);
  const [attempt, setAttempt] = useState(0);
  /** What each row said when the service was asked about it. */
  const asked = useRef(new Map<number, string>());
  useEffect(() => {
    if (attempt > 0) asked.current.clear();
    const changed = rows.filter((row) => isAsked(row) && asked.current.get(row.number) !== said(row));
    if (changed.length === 0) {
      // The row that was about to be checked has a fault again: nothing is asked, so no answer ends the wait.
      setChecked((current) => (current.isBusy ? { ...current, isBusy: false } : current));
      return;
    }
    // Their answers go, also where a text is put back before the service was asked about another.
    for (const { number } of changed) asked.current.delete(number);
    const leaving = new AbortController();
    const { signal } = leaving;
    setChecked((current) => {
      const answers = new Map(current.answers);
      for (const { number } of changed) answers.delete(number);
      return { ...current, answers, error: null, isBusy: true };
    });
    const timer = setTimeout(async () => {
      const error = await checkRows(changed, {
        signal,
        validate: (order) => giftwire.orders.validate(order, { signal }),
        onAnswer(found) {
          for (const row of changed) if (found.answers.has(row.number)) asked.current.set(row.number, said(row));
          setChecked((current) => ({ ...current, ...withAnswer(current, found) }));
        },
      }).then(
        () => null,
        (thrown: unknown) => thrown,
      );
      if (!signal.aborted) setChecked((current) => ({ ...current, error, isBusy: false }));
    }, settleMs);
    return () => {
      leaving.abort();
      clearTimeout(timer);
    };
  }, [rows, attempt]);
  const general = rows.flatMap(({ number }) => checked.general.get(number) ?? []);
  return { ...checked, general: [...new Set(general)], retry: () => setAttempt((count) => count + 1) };
}

/** The service is asked about rows that it may take, and about a shortened number: it may know whose it is. */
function isAsked({ faults, waits }: GiftRow): boolean {
  return !waits && faults.every(({ is }) => is === 'shortened');
}

function said(row: GiftRow): string {
  const { currency, language, deliverAt } = row;
  return JSON.stringify([currency, language, deliverAt, orderItemOf(row)]);
}

function withAnswer(current: Checked, { currency, answers, general, budget }: PieceAnswer) {
  const numbers = [...answers.keys()];
  return {
    answers: new Map([...current.answers, ...answers]),
    general: new Map([...current.general, ...numbers.map((number) => [number, general] as const)]),
    budgets: new Map(current.budgets).set(currency, budget && usableBudget(budget)),
  };
}
