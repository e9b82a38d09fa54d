import { Button, Group } from '@mantine/core';
import { notifications } from '@mantine/notifications';

interface Undo {
  label: string;
  run: () => void;
}

/** Says that something is done: 480 gifts are on their way. With an undo for ten seconds, where it can be undone. Never for errors. */
export function tell(text: string, undo?: Undo): void {
  const id = notifications.show({
    autoClose: undo ? 10_000 : 5_000,
    // It goes away by time, and a close button would need a name in the language of the person.
    withCloseButton: false,
    message: (
      <Group justify="space-between" gap={12}>
        <span>{text}</span>
        {undo && (
          <Button
            size="compact-sm"
            onClick={() => {
              notifications.hide(id);
              undo.run();
            }}
          >
            {undo.label}
          </Button>
        )}
      </Group>
    ),
  });
}
