import { Button, Group, Modal, Stack } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';
import { useWords } from '../words/words.tsx';
import { Fault } from './fault.tsx';

interface FormDialogProps {
  isOpen: boolean;
  onClose: () => void;
  title: string;
  /** The way back; absent: Cancel. */
  cancel?: string;
  /** What the button does; absent: Save. */
  save?: string;
  onSave: () => void;
  isSaving: boolean;
  /** The button does what cannot be undone. */
  isDangerous?: boolean;
  /** What went wrong and stands at none of the fields. */
  fault: unknown;
  children: ReactNode;
}

/** A dialog with a few fields, and two buttons below them. */
export function FormDialog({
  isOpen,
  onClose,
  title,
  cancel,
  save,
  onSave,
  isSaving,
  isDangerous = false,
  fault,
  children,
}: FormDialogProps) {
  const { parts } = useWords();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSave();
  };
  return (
    <Modal opened={isOpen} onClose={onClose} title={<b>{title}</b>} withCloseButton={false}>
      <form onSubmit={submit}>
        <Stack gap={16}>
          {children}
          <Fault error={fault} />
          <Group justify="flex-end" gap={8}>
            <Button onClick={onClose}>{cancel ?? parts.cancel}</Button>
            <Button type="submit" variant="filled" color={isDangerous ? 'red' : undefined} loading={isSaving}>
              {save ?? parts.save}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
