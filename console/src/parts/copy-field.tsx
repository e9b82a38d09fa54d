import { Button, TextInput } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { useWords } from '../words/words.tsx';

/** A value to paste elsewhere, with the button that copies it. */
export function CopyField({ label, value, hint }: { label: string; value: string; hint?: string }) {
  const { parts } = useWords();
  const { copy, copied } = useClipboard({ timeout: 2_000 });
  return (
    <TextInput
      label={label}
      description={hint}
      value={value}
      readOnly
      styles={{ input: { fontFamily: 'var(--mono)', fontSize: 13 } }}
      rightSectionWidth={84}
      rightSection={
        <Button size="compact-sm" variant="subtle" onClick={() => copy(value)}>
          {copied ? parts.copied : parts.copy}
        </Button>
      }
      onFocus={({ target }) => target.select()}
    />
  );
}
