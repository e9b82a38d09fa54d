import type { Automation } from '@giftwire/sdk';

/** What an automation says: everything but its state. */
export type AutomationTerms = Omit<Automation, 'id' | 'state' | 'onSince' | 'pauseNote' | 'pausedBy'>;

export function termsIn(automation: Automation): AutomationTerms {
  const { id: _, state: __, onSince: ___, pauseNote: ____, pausedBy: _____, ...terms } = automation;
  return terms;
}

/** What the tinted words of a sentence get. */
export interface SlotsProps {
  terms: AutomationTerms;
  isFixed: boolean;
  change: (changes: Partial<AutomationTerms>) => void;
}
