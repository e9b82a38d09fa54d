import { useWords } from '../../words/words.tsx';
import type { AutomationTerms } from './terms.ts';

/** What one occurrence is about: Birthday, 5 years, First day; else the name of its automation. */
export function useOccasion() {
  const { automations: words } = useWords();
  const { occasions } = words;
  return (
    { name, trigger }: Pick<AutomationTerms, 'name' | 'trigger'>,
    { years }: { years: number | null },
  ): string => {
    const { is, days = 0 } = trigger;
    if (is === 'BIRTHDAY') return occasions.BIRTHDAY;
    if (is === 'ANNIVERSARY') return years === null ? occasions.ANNIVERSARY : occasions.years(years);
    if (is === 'AFTER_HIRE') return days === 0 ? occasions.firstDay : occasions.AFTER_HIRE(days);
    return is === 'UNRECOGNIZED' ? occasions.UNRECOGNIZED(days) : name;
  };
}
