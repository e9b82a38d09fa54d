import type { Redemption } from '@giftwire/sdk';
import { Textarea } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { giftwire } from '../../data/client.ts';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { nameOf } from '../../parts/name.ts';
import { tell } from '../../parts/tell.tsx';
import { useFormats, useWords } from '../../words/words.tsx';
import styles from './spent.module.css';

interface Asked {
  redemption: Redemption;
  decision: 'fulfil' | 'decline';
}

/** Fulfils or declines what a recipient asked for. They read the note on the page of their gift. */
export function Decide({ asked, onClose }: { asked: Asked | null; onClose: () => void }) {
  const { spending: words } = useWords();
  const { money } = useFormats();
  const queries = useQueryClient();
  const [note, setNote] = useState('');
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: ({ redemption, decision }: Asked) =>
      giftwire.spendingRequests[decision](redemption.id, note.trim() ? { note: note.trim() } : {}),
    onSuccess: async (_redemption, { decision }) => {
      onClose();
      tell(decision === 'fulfil' ? words.fulfilled : words.declined);
      await Promise.all(
        ['redemptions', 'gifts', 'reports'].map((key) => queries.invalidateQueries({ queryKey: [key] })),
      );
    },
  });
  useEffect(() => {
    if (!asked) return;
    reset();
    setNote('');
  }, [asked, reset]);
  if (!asked) return null;
  const { redemption, decision } = asked;
  const sum = money(redemption.amount, redemption.currency);
  const name = nameOf(redemption.recipient);
  const isFulfilled = decision === 'fulfil';
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title={
        isFulfilled
          ? words.fulfilTitle(redemption.spendingOptionName)
          : words.declineTitle(redemption.spendingOptionName)
      }
      save={isFulfilled ? words.fulfil : words.decline}
      onSave={() => mutate(asked)}
      isSaving={isPending}
      fault={error}
    >
      {redemption.requestText && <blockquote className={styles.request}>{redemption.requestText}</blockquote>}
      <p className="second">{isFulfilled ? words.fulfilText(name, sum) : words.declineText(name, sum)}</p>
      <Textarea
        label={words.note}
        description={words.noteHint}
        maxLength={500}
        autosize
        minRows={2}
        data-autofocus
        value={note}
        onChange={({ currentTarget }) => setNote(currentTarget.value)}
      />
    </FormDialog>
  );
}
