import { Button, Group, Modal, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { useWords } from '../words/words.tsx';
import { Fault } from './fault.tsx';
import { useSubmit } from './use-submit.ts';

interface ConfirmProps {
  isOpen: boolean;
  onClose: () => void;
  /** The question: Cancel this gift? */
  title: string;
  /** What then happens, with names and amounts. */
  children: ReactNode;
  /** The way back, for example Keep gift; absent: Cancel. */
  keep?: string;
  /** What the button does: Cancel gift. */
  act: string;
  onAct: () => Promise<unknown>;
  isDangerous?: boolean;
}

/** Asks before something that cannot be undone. What goes wrong is said in the dialog, which stays open. */
export function Confirm({ isOpen, onClose, title, children, keep, act, onAct, isDangerous = true }: ConfirmProps) {
  const { parts } = useWords();
  const { error, isBusy, submit, clear } = useSubmit(onAct, onClose);
  const close = () => {
    clear();
    onClose();
  };
  return (
    <Modal opened={isOpen} onClose={close} title={<b>{title}</b>} withCloseButton={false}>
      <Stack gap={16}>
        <div>{children}</div>
        <Fault error={error} />
        <Group justify="flex-end" gap={8}>
          <Button onClick={close} data-autofocus>
            {keep ?? parts.cancel}
          </Button>
          <Button variant="filled" color={isDangerous ? 'red' : undefined} loading={isBusy} onClick={submit}>
            {act}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
