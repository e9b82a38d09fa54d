import { GiftwireError } from '@giftwire/sdk';
import type { ReactNode } from 'react';
import { Icon } from '../../parts/icon.tsx';
import { type MyWords, useWords } from '../words/words.tsx';

interface FaultProps {
  /** What was thrown; nothing shows while it is null. */
  error: unknown;
  /** What did not happen, and what is kept. It comes first. */
  not?: string;
  retry?: () => void;
  retryLabel?: string;
}

/** What did not happen, why, and one next step, in the place where it happened. Amber: nothing has to be repaired. */
export function Fault({ error, not, retry, retryLabel }: FaultProps) {
  const { parts } = useWords();
  if (!error) return null;
  return (
    <Notice role="alert">
      {not && <b>{not} </b>}
      {faultText(error, parts)}
      {isExplained(error, parts) && <p className="small">{error.message}</p>}
      {retry && (
        <div>
          <button type="button" className="pill" onClick={retry}>
            {retryLabel ?? parts.retry}
          </button>
        </div>
      )}
    </Notice>
  );
}

/** The text of an error. What the service rejects, it explains itself in English; other languages have a sentence for each status first. */
function faultText(
  error: unknown,
  { offline, unreachable, serverFault, tooMany, forbidden, rejected }: MyWords['parts'],
): string {
  if (!(error instanceof GiftwireError)) return error instanceof Error ? error.message : String(error);
  if (error.status === null) return navigator.onLine ? unreachable : offline;
  if (error.status === 429) return tooMany;
  if (error.status === 403) return forbidden;
  return error.status >= 500 ? serverFault : (rejected[error.status] ?? error.message);
}

/** Whether the service's own words say more than that sentence: which limit, or the message of a rule, which the company wrote. */
function isExplained(error: unknown, { rejected }: MyWords['parts']): error is GiftwireError {
  return (
    error instanceof GiftwireError &&
    [400, 402, 409].includes(error.status ?? 0) &&
    rejected[error.status ?? 0] !== undefined
  );
}

interface NoticeProps {
  children: ReactNode;
  look?: 'calm' | 'red';
  icon?: 'warn' | 'ok' | 'clock' | 'lock';
  role?: 'alert' | 'status';
}

export function Notice({ children, look, icon = 'warn', role }: NoticeProps) {
  return (
    <div className={look ? `notice ${look}` : 'notice'} role={role}>
      <Icon name={icon} />
      <div>{children}</div>
    </div>
  );
}
