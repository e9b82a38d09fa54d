import type { TaxSum } from '@giftwire/sdk';
import { Button, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { giftwire } from '../../data/client.ts';
import { useCan } from '../../data/me.tsx';
import { AmountInput } from '../../parts/amount-input.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { tell } from '../../parts/tell.tsx';
import { useFormats, useWords } from '../../words/words.tsx';
import styles from './tax-log.module.css';

/** Says once in which currencies there is no limit, to users who can set one. */
export function TaxLimitHint({ sums, onSet }: { sums: readonly TaxSum[]; onSet: () => void }) {
  const { tax: words } = useWords();
  const { list } = useFormats();
  const canChange = useCan()('settings:manage');
  const open = sums.filter(({ limit }) => limit === null).map(({ currency }) => currency);
  if (open.length === 0 || !canChange) return null;
  return (
    <p className={`quiet small ${styles.hint}`}>
      {words.noLimit(list(open))}{' '}
      <Button size="compact-sm" variant="subtle" px={4} onClick={onSet}>
        {words.setLimit}
      </Button>
    </p>
  );
}

/** The limits of all currencies of the year. */
export function TaxLimitsDialog({ sums, onClose }: { sums: readonly TaxSum[]; onClose: () => void }) {
  const { tax: words } = useWords();
  const queries = useQueryClient();
  const [amounts, setAmounts] = useState(() => new Map(sums.map(({ currency, limit }) => [currency, limit])));
  const [isSaving, setSaving] = useState(false);
  const [fault, setFault] = useState<unknown>(null);
  const save = async () => {
    setSaving(true);
    setFault(null);
    try {
      const { taxLimits } = await giftwire.settings.retrieve();
      const others = taxLimits.filter(({ currency }) => !amounts.has(currency));
      const set = [...amounts].flatMap(([currency, amount]) => (amount === null ? [] : [{ currency, amount }]));
      await giftwire.settings.update({ taxLimits: [...others, ...set] });
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
      onSave={() => void save()}
      isSaving={isSaving}
      fault={fault}
    >
      <Stack gap={12}>
        <Text size="sm">{words.limitText}</Text>
        {[...amounts].map(([currency, amount], nth) => (
          <AmountInput
            key={currency}
            data-autofocus={nth === 0 || undefined}
            label={currency}
            value={amount}
            currency={currency}
            onChange={(value) => setAmounts(new Map(amounts).set(currency, value))}
          />
        ))}
      </Stack>
    </FormDialog>
  );
}
