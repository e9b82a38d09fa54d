import type { Automation } from '@giftwire/sdk';
import { useState } from 'react';
import { type AutomationTerms, termsIn } from './terms.ts';

/** An automation as it is being changed, beside what is stored. */
export function useDraft(stored: Automation | null, first: AutomationTerms | null) {
  const before = stored ? termsIn(stored) : (first as AutomationTerms);
  const [changes, setChanges] = useState<Partial<AutomationTerms>>({});
  const terms = { ...before, ...changes };
  return {
    terms,
    /** Null: it is new. */
    stored: stored && before,
    /** What differs from what is stored. */
    changes,
    isDirty: Object.keys(changes).length > 0,
    change: (more: Partial<AutomationTerms>) => setChanges((soFar) => differing(before, { ...soFar, ...more })),
    discard: () => setChanges({}),
  };
}

export type Draft = ReturnType<typeof useDraft>;

function differing(before: AutomationTerms, changes: Partial<AutomationTerms>): Partial<AutomationTerms> {
  return Object.fromEntries(
    Object.entries(changes).filter(
      ([key, value]) => JSON.stringify(value) !== JSON.stringify(before[key as keyof AutomationTerms]),
    ),
  );
}

/** Whether the plan can be counted: every gift has an amount, and a named sender is named. */
export function isWhole({ action, from }: AutomationTerms): boolean {
  if (from.is === 'MEMBER' && from.memberId === undefined) return false;
  if (action.is !== 'GIFT') return true;
  const { byYears, further, amount } = action;
  const amounts = byYears ? [...byYears.map((one) => one.amount), ...(further ? [further.amount] : [])] : [amount];
  return amounts.every((one) => one !== undefined && one > 0);
}
