import { Button, Group, Modal, Stack } from '@mantine/core';
import { CopyField } from './copy-field.tsx';

interface OnceDialogProps {
  /** What is shown this once; null: nothing, and the dialog is closed. */
  value: string | null;
  title: string;
  text: string;
  label: string;
  done: string;
  onClose: () => void;
}

/** Shows a secret or a link once. It does not close by accident. */
export function OnceDialog({ value, title, text, label, done, onClose }: OnceDialogProps) {
  return (
    <Modal
      opened={value !== null}
      onClose={onClose}
      title={<b>{title}</b>}
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      <Stack gap={16}>
        <p>{text}</p>
        <CopyField label={label} value={value ?? ''} />
        <Group justify="flex-end">
          <Button variant="filled" onClick={onClose}>
            {done}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
