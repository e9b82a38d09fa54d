import type { TaxSum } from '@giftwire/sdk';
import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { giftwire } from '../../data/client.ts';
import { useCan } from '../../data/me.tsx';
import { AmountInput } from '../../parts/amount-input.tsx';
import { Figures } from '../../parts/figures.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { tell } from '../../parts/tell.tsx';
import { useFormats, useWords } from '../../words/words.tsx';

/** The year in one currency, and the limit that the workspace has set for it. */
export function TaxFigures({ sum }: { sum: TaxSum }) {
  const { tax: words, screens } = useWords();
  const { money, number } = useFormats();
  const canChange = useCan()('settings:manage');
  const [isOpen, setOpen] = useState(false);
  const { currency, limit } = sum;
  return (
    <>
      <Figures
        label={`${screens.taxLog} ${currency}`}
        figures={[
          { name: words.people, value: number(sum.people), note: words.gotSomething(sum.gifts) },
          { name: words.salary, value: money(sum.cash, currency), note: words.salaryNote },
          { name: words.nearCash, value: money(sum.nearCash, currency), note: words.nearCashNote },
          { name: words.goods, value: money(sum.nonCash, currency), note: words.goodsNote },
          { name: words.unspent, value: money(sum.unspent, currency), note: words.unspentNote },
          {
            name: words.limit,
            value: limit === null ? words.noLimit : money(limit, currency),
            note: (
              <>
                {words.limitNote}{' '}
                {canChange && (
                  <Button size="compact-sm" variant="subtle" px={4} onClick={() => setOpen(true)}>
                    {limit === null ? words.setLimit : words.changeLimit}
                  </Button>
                )}
              </>
            ),
          },
        ]}
      />
      {isOpen && <LimitDialog currency={currency} limit={limit} onClose={() => setOpen(false)} />}
    </>
  );
}

interface DialogProps {
  currency: string;
  limit: number | null;
  onClose: () => void;
}

function LimitDialog({ currency, limit, onClose }: DialogProps) {
  const { tax: words } = useWords();
  const queries = useQueryClient();
  const [amount, setAmount] = useState(limit);
  const [isSaving, setSaving] = useState(false);
  const [fault, setFault] = useState<unknown>(null);
  const settings = useQuery({
    queryKey: ['settings'],
    queryFn: ({ signal }) => giftwire.settings.retrieve({ signal }),
  });
  const save = async () => {
    setSaving(true);
    setFault(null);
    try {
      const { taxLimits } = settings.data ?? (await giftwire.settings.retrieve());
      const others = taxLimits.filter((one) => one.currency !== currency);
      await giftwire.settings.update({ taxLimits: amount === null ? others : [...others, { currency, amount }] });
      await queries.invalidateQueries({ queryKey: ['settings'] });
      await queries.invalidateQueries({ queryKey: ['redemptions'] });
      tell(words.limitSaved);
      onClose();
    } catch (error) {
      setFault(error);
    } finally {
      setSaving(false);
    }
  };
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title={words.limitTitle}
      cancel={words.cancel}
      save={words.save}
      onSave={() => void save()}
      isSaving={isSaving}
      fault={fault}
    >
      <AmountInput
        data-autofocus
        label={currency}
        description={words.limitText}
        value={amount}
        currency={currency}
        onChange={setAmount}
      />
    </FormDialog>
  );
}
