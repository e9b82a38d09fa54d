import type { Budget, BudgetChange, NewAllowance } from '@giftwire/sdk';
import { MultiSelect, Select } from '@mantine/core';
import type { fieldFaults } from '../../data/field-faults.ts';
import { AmountInput } from '../../parts/amount-input.tsx';
import { useWords } from '../../words/words.tsx';
import styles from './money.module.css';

/** The terms of a budget, as they are being written. */
export interface Terms {
  giftLimit: number | null;
  every: 'NONE' | NewAllowance['every'];
  allowance: number | null;
  lowPercents: string[];
  personCap: number | null;
  lapses: 'NONE' | NewAllowance['every'];
}

export const usualTerms: Terms = {
  giftLimit: null,
  every: 'NONE',
  allowance: null,
  lowPercents: ['20'],
  personCap: null,
  lapses: 'NONE',
};
const percents = [75, 50, 25, 20, 10, 5];

export function termsOf({ giftLimit, allowance, lowPercents, personCap, lapses }: Budget): Terms {
  return {
    giftLimit,
    every: allowance?.every ?? 'NONE',
    allowance: allowance?.amount ?? null,
    lowPercents: lowPercents.map(String),
    personCap,
    lapses: lapses ?? 'NONE',
  };
}

/** What a new budget is given: everything, because one that was closed may be opened again by it. */
export function newTermsOf(terms: Terms): BudgetChange {
  const allowance = allowanceOf(terms);
  return {
    giftLimit: terms.giftLimit,
    ...(allowance && { allowance }),
    lowPercents: terms.lowPercents.map(Number),
    ...(terms.personCap !== null && { personCap: terms.personCap }),
    ...(terms.lapses !== 'NONE' && { lapses: terms.lapses }),
  };
}

/** What differs. An allowance that is set again is granted again, so that one that stays is left out. */
export function changeOf(terms: Terms, before: Terms): BudgetChange {
  const isSame = (key: keyof Terms) => String(terms[key]) === String(before[key]);
  const keepsAllowance = isSame('every') && (terms.every === 'NONE' || isSame('allowance'));
  return {
    ...(!isSame('giftLimit') && { giftLimit: terms.giftLimit }),
    ...(!keepsAllowance && { allowance: allowanceOf(terms) }),
    ...(!isSame('lowPercents') && { lowPercents: terms.lowPercents.map(Number) }),
    ...(!isSame('personCap') && { personCap: terms.personCap }),
    ...(!isSame('lapses') && { lapses: terms.lapses === 'NONE' ? null : terms.lapses }),
  };
}

function allowanceOf({ every, allowance }: Terms): NewAllowance | null {
  return every === 'NONE' || allowance === null ? null : { amount: allowance, every };
}

/** Whether an allowance was chosen without its amount. */
export function lacksAllowance({ every, allowance }: Terms): boolean {
  return every !== 'NONE' && (allowance === null || allowance <= 0);
}

interface TermFieldsProps {
  terms: Terms;
  currency: string;
  change: (changes: Partial<Terms>) => void;
  faults: ReturnType<typeof fieldFaults>;
  isTried: boolean;
  /** Whether several people draw on it, so that each can have a cap. */
  isShared: boolean;
}

export function TermFields({ terms, currency, change, faults, isTried, isShared }: TermFieldsProps) {
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
      {isShared && (
        <AmountInput
          label={words.personCap}
          description={words.personCapHint}
          value={terms.personCap}
          currency={currency}
          error={faults.of('personCap')}
          onChange={(personCap) => change({ personCap })}
        />
      )}
      <div className={styles.pair}>
        <Select
          label={words.allowance}
          data={(['NONE', 'MONTH', 'YEAR'] as const).map((value) => ({ value, label: words.allowances[value] }))}
          allowDeselect={false}
          value={terms.every}
          onChange={(every) => every && change({ every: every as Terms['every'] })}
        />
        {terms.every !== 'NONE' && (
          <AmountInput
            label={words.allowanceAmount}
            value={terms.allowance}
            currency={currency}
            error={faults.of('allowance.amount') ?? (isTried && lacksAllowance(terms) ? words.needsAmount : undefined)}
            onChange={(allowance) => change({ allowance })}
          />
        )}
      </div>
      {terms.every !== 'NONE' && <p className="quiet small">{words.allowanceHint}</p>}
      <Select
        label={words.lapse}
        description={terms.lapses === 'NONE' ? undefined : words.lapseHint}
        data={(['NONE', 'MONTH', 'YEAR'] as const).map((value) => ({ value, label: words.lapses[value] }))}
        allowDeselect={false}
        value={terms.lapses}
        error={faults.of('lapses')}
        onChange={(lapses) => lapses && change({ lapses: lapses as Terms['lapses'] })}
      />
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
