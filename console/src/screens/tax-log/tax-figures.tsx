import type { TaxSum } from '@giftwire/sdk';
import { Button } from '@mantine/core';
import { useCan } from '../../data/me.tsx';
import { type Figure, Figures } from '../../parts/figures.tsx';
import { useFormats, useWords } from '../../words/words.tsx';

/** The year in one currency: the types that have an amount, and the limit where the workspace has set one. */
export function TaxFigures({ sum, onChangeLimit }: { sum: TaxSum; onChangeLimit: () => void }) {
  const { tax: words, screens } = useWords();
  const { money, number } = useFormats();
  const canChange = useCan()('settings:manage');
  const { currency, limit } = sum;
  const amount = (value: number, name: string, note: string): Figure[] =>
    value === 0 ? [] : [{ name, value: money(value, currency), note }];
  const changeLimit = canChange && (
    <Button size="compact-sm" variant="subtle" px={4} onClick={onChangeLimit}>
      {words.changeLimit}
    </Button>
  );
  return (
    <Figures
      label={`${screens.taxLog} ${currency}`}
      figures={[
        { name: words.people, value: number(sum.people), note: words.gotSomething(sum.gifts) },
        ...amount(sum.cash, words.salary, words.salaryNote),
        ...amount(sum.nearCash, words.nearCash, words.nearCashNote),
        ...amount(sum.nonCash, words.goods, words.goodsNote),
        ...amount(sum.unspent, words.unspent, words.unspentNote),
        ...(limit === null
          ? []
          : [
              {
                name: words.limit,
                value: money(limit, currency),
                note: (
                  <>
                    {words.limitNote} {changeLimit}
                  </>
                ),
              },
            ]),
      ]}
    />
  );
}
