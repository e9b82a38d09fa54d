import type { NewAutomation } from '../../src/ground/contract/automation.ts';

/** An automation of birthdays: a gift of 25 CAD. */
export function anAutomation(more: Partial<NewAutomation> = {}): NewAutomation {
  return {
    name: 'Birthdays',
    trigger: { is: 'BIRTHDAY' },
    action: { is: 'GIFT', currency: 'CAD', amount: 25 },
    messages: { EN: 'Happy birthday, {firstName}!' },
    ...more,
  };
}
