import { Button, Group, Modal, Stack } from '@mantine/core';
import { CopyField } from '../../parts/copy-field.tsx';
import { useWords } from '../../words/words.tsx';

/** Shows a secret once. It does not close by accident. */
export function SecretDialog({ secret, onClose }: { secret: string | null; onClose: () => void }) {
  const { webhooks } = useWords().integrations;
  return (
    <Modal
      opened={secret !== null}
      onClose={onClose}
      title={<b>{webhooks.secretTitle}</b>}
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      <Stack gap={16}>
        <p>{webhooks.secretText}</p>
        <CopyField label={webhooks.secretLabel} value={secret ?? ''} />
        <Group justify="flex-end">
          <Button variant="filled" onClick={onClose}>
            {webhooks.done}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
