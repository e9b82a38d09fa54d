import type { Gift, GiftTotals, NewBulkAction } from '@giftwire/sdk';
import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { printAddress } from '../../data/download.ts';
import { Bar } from '../../parts/page.tsx';
import { useWords } from '../../words/words.tsx';
import { useBulkActions } from './bulk.tsx';

interface SelectionProps {
  selected: readonly Gift[];
  /** The filters of the list, and how many gifts fit. */
  query: NewBulkAction['gifts'];
  totals: GiftTotals | undefined;
  onClear: () => void;
  /** The table. */
  children: ReactNode;
}

/** What can be done with the gifts that were picked, or with all that fit the filters; and what came of it, above the table. */
export function GiftSelection({ selected, query, totals, onClear, children }: SelectionProps) {
  const { gifts: words, parts } = useWords();
  const [wantsAll, setWantsAll] = useState(false);
  // A list without a filter has all gifts of the company: those are not offered.
  const canHaveAll = totals !== undefined && totals.gifts > selected.length && Object.keys(query).length > 0;
  const isAll = wantsAll && canHaveAll;
  const clear = () => {
    setWantsAll(false);
    onClear();
  };
  const ids = selected.map(({ id }) => id);
  const picked = isAll ? totals : totalsOf(selected);
  const { buttons, outcome } = useBulkActions({
    gifts: isAll ? query : { ids },
    totals: picked,
    about: query,
    onStarted: clear,
  });
  return (
    <>
      {outcome}
      {children}
      {selected.length > 0 && (
        <Bar
          label={words.selection}
          actions={
            <>
              {!isAll && (
                <Button component="a" href={printAddress({ ids: ids.join(',') })} target="_blank">
                  {words.print}
                </Button>
              )}
              {buttons}
            </>
          }
        >
          <b>
            {isAll && totals.isMinimum ? parts.atLeast(words.selected(picked.gifts)) : words.selected(picked.gifts)}
          </b>
          {canHaveAll && !isAll && (
            <Button size="compact-sm" variant="subtle" onClick={() => setWantsAll(true)}>
              {words.selectAll(totals.gifts)}
            </Button>
          )}
          <Button size="compact-sm" variant="subtle" onClick={clear}>
            {words.clear}
          </Button>
        </Bar>
      )}
    </>
  );
}

/** The same figures for gifts that were picked one by one. */
function totalsOf(gifts: readonly Gift[]): GiftTotals {
  const totals = gifts.map(({ state, delivery, currency, amount, redeemed }) => ({
    state,
    delivery,
    currency,
    amount,
    redeemed,
    gifts: 1,
  }));
  return { gifts: gifts.length, isMinimum: false, totals };
}
