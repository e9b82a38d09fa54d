import { Button, Checkbox, Group, Modal, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { DateField } from '../../parts/date-field.tsx';
import { Fault } from '../../parts/fault.tsx';
import { useFormats, useWords } from '../../words/words.tsx';

interface DialogProps {
  isOpen: boolean;
  onClose: () => void;
}

/** Until when a gift can be claimed: a day, or for good. */
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
    <Modal opened={isOpen} onClose={onClose} title={<b>{title ?? gifts.extendTitle}</b>} withCloseButton={false}>
      <form onSubmit={submit}>
        <Stack gap={16}>
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
          <Fault error={error} />
          <Group justify="flex-end" gap={8}>
            <Button onClick={onClose}>{gifts.back}</Button>
            <Button type="submit" variant="filled" loading={isBusy}>
              {gifts.extend}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
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
    <Modal opened={isOpen} onClose={onClose} title={<b>{gifts.correctTitle}</b>} withCloseButton={false}>
      <form onSubmit={submit}>
        <Stack gap={16}>
          <p className="second">{gifts.correctText}</p>
          <TextInput
            type="email"
            label={gifts.address}
            required
            data-autofocus
            value={email}
            onChange={({ target }) => setEmail(target.value)}
          />
          <Fault error={error} />
          <Group justify="flex-end" gap={8}>
            <Button onClick={onClose}>{gifts.back}</Button>
            <Button type="submit" variant="filled" loading={isBusy}>
              {gifts.send}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

/** Runs what a form asks for. What goes wrong is said in the form, which stays open. */
export function useSubmit(run: () => Promise<unknown>, onDone?: () => void) {
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setError(null);
    try {
      await run();
      onDone?.();
    } catch (thrown) {
      setError(thrown);
    } finally {
      setBusy(false);
    }
  };
  return { error, isBusy, submit };
}
