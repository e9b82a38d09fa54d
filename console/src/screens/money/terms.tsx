import type { Budget, BudgetChange, NewAllotment } from '@giftwire/sdk';
import { MultiSelect, Select } from '@mantine/core';
import type { fieldFaults } from '../../data/field-faults.ts';
import { AmountInput } from '../../parts/amount-input.tsx';
import { useWords } from '../../words/words.tsx';
import styles from './money.module.css';

/** The terms of a budget, as they are being written. */
export interface Terms {
  giftLimit: number | null;
  every: 'NONE' | NewAllotment['every'];
  allotment: number | null;
  lowPercents: string[];
}

export const usualTerms: Terms = { giftLimit: null, every: 'NONE', allotment: null, lowPercents: ['20'] };
const percents = [75, 50, 25, 20, 10, 5];

export function termsOf({ giftLimit, allotment, lowPercents }: Budget): Terms {
  return {
    giftLimit,
    every: allotment?.every ?? 'NONE',
    allotment: allotment?.amount ?? null,
    lowPercents: lowPercents.map(String),
  };
}

/** What a new budget is given: everything, because one that was closed may be opened again by it. */
export function newTermsOf(terms: Terms): BudgetChange {
  const allotment = allotmentOf(terms);
  return {
    giftLimit: terms.giftLimit,
    ...(allotment && { allotment }),
    lowPercents: terms.lowPercents.map(Number),
  };
}

/** What differs. An allotment that is set again is granted again, so that one that stays is left out. */
export function changeOf(terms: Terms, before: Terms): BudgetChange {
  const isSame = (key: keyof Terms) => String(terms[key]) === String(before[key]);
  const keepsAllotment = isSame('every') && (terms.every === 'NONE' || isSame('allotment'));
  return {
    ...(!isSame('giftLimit') && { giftLimit: terms.giftLimit }),
    ...(!keepsAllotment && { allotment: allotmentOf(terms) }),
    ...(!isSame('lowPercents') && { lowPercents: terms.lowPercents.map(Number) }),
  };
}

function allotmentOf({ every, allotment }: Terms): NewAllotment | null {
  return every === 'NONE' || allotment === null ? null : { amount: allotment, every };
}

/** Whether an allotment was chosen without its amount. */
export function lacksAllotment({ every, allotment }: Terms): boolean {
  return every !== 'NONE' && (allotment === null || allotment <= 0);
}

interface TermFieldsProps {
  terms: Terms;
  currency: string;
  change: (changes: Partial<Terms>) => void;
  faults: ReturnType<typeof fieldFaults>;
  isTried: boolean;
}

export function TermFields({ terms, currency, change, faults, isTried }: TermFieldsProps) {
  const { money: words } = useWords();
  const choices = [...new Set([...percents, ...terms.lowPercents.map(Number)])].sort((a, b) => b - a);
  return (
    <>
      <AmountInput
        label={words.limit}
        description={words.limitHint}
        value={terms.giftLimit}
        currency={currency}
        error={faults.of('giftLimit')}
        onChange={(giftLimit) => change({ giftLimit })}
      />
      <div className={styles.pair}>
        <Select
          label={words.allotment}
          data={(['NONE', 'MONTH', 'YEAR'] as const).map((value) => ({ value, label: words.allotments[value] }))}
          allowDeselect={false}
          value={terms.every}
          onChange={(every) => every && change({ every: every as Terms['every'] })}
        />
        {terms.every !== 'NONE' && (
          <AmountInput
            label={words.allotmentAmount}
            value={terms.allotment}
            currency={currency}
            error={faults.of('allotment.amount') ?? (isTried && lacksAllotment(terms) ? words.needsAmount : undefined)}
            onChange={(allotment) => change({ allotment })}
          />
        )}
      </div>
      {terms.every !== 'NONE' && <p className="quiet small">{words.allotmentHint}</p>}
      <MultiSelect
        label={words.low}
        description={words.lowHint}
        data={choices.map((value) => ({ value: String(value), label: words.percent(value) }))}
        value={terms.lowPercents}
        error={faults.of('lowPercents')}
        onChange={(lowPercents) => change({ lowPercents })}
      />
    </>
  );
}
