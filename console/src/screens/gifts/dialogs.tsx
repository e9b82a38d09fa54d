import { Checkbox, TextInput } from '@mantine/core';
import { useState } from 'react';
import { DateField } from '../../parts/date-field.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { useSubmit } from '../../parts/use-submit.ts';
import { useFormats, useWords } from '../../words/words.tsx';

interface DialogProps {
  isOpen: boolean;
  onClose: () => void;
}

/** Until when a gift can be claimed: a day, or without an end. */
export function ExtendDialog({
  isOpen,
  onClose,
  title,
  onExtend,
}: DialogProps & { title?: string; onExtend: (expiresOn: string | null) => Promise<unknown> }) {
  const { gifts, parts } = useWords();
  const formats = useFormats();
  const [day, setDay] = useState<string | null>('');
  const [isForGood, setForGood] = useState(false);
  const { error, isBusy, submit } = useSubmit(async () => {
    if (day === null && !isForGood) throw new Error(parts.noDay(formats.day(new Date())));
    await onExtend(isForGood ? null : day);
  }, onClose);
  return (
    <FormDialog
      isOpen={isOpen}
      onClose={onClose}
      title={title ?? gifts.extendTitle}
      cancel={gifts.back}
      save={gifts.extend}
      onSave={submit}
      isSaving={isBusy}
      fault={error}
    >
      <p className="second">{gifts.extendText}</p>
      <DateField
        label={gifts.lastDay}
        min={new Date().toISOString().slice(0, 10)}
        value={day ?? ''}
        required={!isForGood}
        disabled={isForGood}
        data-autofocus
        onDay={setDay}
      />
      <Checkbox label={gifts.forGood} checked={isForGood} onChange={({ target }) => setForGood(target.checked)} />
    </FormDialog>
  );
}

export function CorrectDialog({
  isOpen,
  onClose,
  onCorrect,
}: DialogProps & { onCorrect: (email: string) => Promise<unknown> }) {
  const { gifts } = useWords();
  const [email, setEmail] = useState('');
  const { error, isBusy, submit } = useSubmit(() => onCorrect(email.trim()), onClose);
  return (
    <FormDialog
      isOpen={isOpen}
      onClose={onClose}
      title={gifts.correctTitle}
      cancel={gifts.back}
      save={gifts.send}
      onSave={submit}
      isSaving={isBusy}
      fault={error}
    >
      <p className="second">{gifts.correctText}</p>
      <TextInput
        type="email"
        label={gifts.address}
        required
        data-autofocus
        value={email}
        onChange={({ target }) => setEmail(target.value)}
      />
    </FormDialog>
  );
}
