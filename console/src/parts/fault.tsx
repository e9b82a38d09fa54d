import { GiftwireError } from '@giftwire/sdk';
import { Button } from '@mantine/core';
import { useWords, type Words } from '../words/words.tsx';
import styles from './fault.module.css';
import { Icon } from './icon.tsx';

interface FaultProps {
  /** What was thrown; nothing shows while it is null. */
  error: unknown;
  retry?: () => void;
}

/** What went wrong and what to do, in the place where it happened. */
export function Fault({ error, retry }: FaultProps) {
  const { parts } = useWords();
  if (!error) return null;
  return (
    <div role="alert" className={styles.fault}>
      <Icon name="warn" />
      <div>
        <p>{faultText(error, parts)}</p>
        {retry && (
          <Button size="compact-sm" mt={8} onClick={retry}>
            {parts.retry}
          </Button>
        )}
      </div>
    </div>
  );
}

/** The text of an error. What the service refuses, it explains itself. */
export function faultText(
  error: unknown,
  { offline, serverFault, tooMany, forbidden, changed }: Words['parts'],
): string {
  if (!(error instanceof GiftwireError)) return error instanceof Error ? error.message : String(error);
  if (error.status === null) return offline;
  if (error.status === 429) return tooMany;
  if (error.status === 403) return forbidden;
  if (error.status === 412) return changed;
  return error.status >= 500 ? serverFault : error.message;
}
