import { Button } from '@mantine/core';
import { useState } from 'react';
import { download } from '../data/download.ts';
import { useWords } from '../words/words.tsx';
import { faultText } from './fault.tsx';
import { Icon } from './icon.tsx';

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
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const save = async () => {
    setBusy(true);
    setError(null);
    await read()
      .then((content) => download(name, content))
      .catch(setError);
    setBusy(false);
  };
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
        onClick={save}
      >
        CSV
      </Button>
    </>
  );
}
