import { Button } from '@mantine/core';
import { download } from '../data/download.ts';
import { useWords } from '../words/words.tsx';
import { faultText } from './fault.tsx';
import { Icon } from './icon.tsx';
import { useSubmit } from './use-submit.ts';

interface CsvButtonProps {
  /** coverage.csv */
  name: string;
  read: () => Promise<ReadableStream<Uint8Array>>;
  /** For screen readers, where several stand on a page. */
  label?: string;
}

/** Saves all rows of what is shown as a CSV file. What goes wrong is said beside it. */
export function CsvButton({ name, read, label }: CsvButtonProps) {
  const { parts } = useWords();
  const { error, isBusy, submit } = useSubmit(async () => download(name, await read()));
  return (
    <>
      {error !== null && <span role="alert">{faultText(error, parts)}</span>}
      <Button
        size="compact-sm"
        variant="subtle"
        fz="inherit"
        leftSection={<Icon name="download" size={14} />}
        loading={isBusy}
        aria-label={label}
        onClick={submit}
      >
        CSV
      </Button>
    </>
  );
}
