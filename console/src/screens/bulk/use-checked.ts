import type { OrderBudget } from '@giftwire/sdk';
import { useEffect, useRef, useState } from 'react';
import { giftwire } from '../../data/client.ts';
import { checkRows } from './check.ts';
import { type GiftRow, orderItemOf } from './file/rows.ts';
import type { Terms } from './job/plan.ts';
import type { RowAnswer } from './verdicts.ts';

interface Checked {
  answers: ReadonlyMap<number, RowAnswer>;
  /** What is wrong with all rows. */
  general: readonly string[];
  /** On which all rows draw together; null: nothing limits them. */
  budget: OrderBudget | null;
  error: unknown;
  isBusy: boolean;
}

const nothing: Checked = { answers: new Map(), general: [], budget: null, error: null, isBusy: false };
/** One may still be typing. */
const settleMs = 400;

/** Has the service try the rows, and those again that have changed since. */
export function useChecked(rows: readonly GiftRow[], terms: Terms): Checked & { retry: () => void } {
  const [checked, setChecked] = useState(nothing);
  const [attempt, setAttempt] = useState(0);
  /** What each row said when the service was asked about it. */
  const asked = useRef(new Map<number, string>());
  const before = useRef(terms);
  useEffect(() => {
    if (before.current !== terms || attempt > 0) asked.current.clear();
    before.current = terms;
    const said = (row: GiftRow) => JSON.stringify(orderItemOf(row));
    const changed = rows.filter((row) => row.faults.length === 0 && asked.current.get(row.number) !== said(row));
    if (changed.length === 0) {
      // The row that was about to be checked has a fault again: nothing is asked, so no answer ends the wait.
      setChecked((current) => (current.isBusy ? { ...current, isBusy: false } : current));
      return;
    }
    // Their answers go, also where a text is put back before the service was asked about another.
    for (const { number } of changed) asked.current.delete(number);
    const leaving = new AbortController();
    const { signal } = leaving;
    setChecked(({ answers, general, budget }) => {
      const kept = new Map(answers);
      for (const { number } of changed) kept.delete(number);
      return { ...nothing, answers: kept, general, budget, isBusy: true };
    });
    const timer = setTimeout(async () => {
      const error = await checkRows(changed, terms, {
        signal,
        validate: (order) => giftwire.orders.validate(order, { signal }),
        onAnswers(found, general, budget) {
          for (const row of changed) if (found.has(row.number)) asked.current.set(row.number, said(row));
          setChecked((current) => ({ ...current, general, budget, answers: new Map([...current.answers, ...found]) }));
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
  }, [rows, terms, attempt]);
  return { ...checked, retry: () => setAttempt((count) => count + 1) };
}
