import type { ReactNode } from 'react';
import { useWords } from '../words/words.tsx';
import styles from './wire.module.css';

export interface WireStep {
  label: string;
  note?: ReactNode;
  isDone: boolean;
}

/** How far something has come: solid has happened, dashed is to come. */
export function Wire({ steps }: { steps: readonly WireStep[] }) {
  const { parts } = useWords();
  const last = steps.findLastIndex(({ isDone }) => isDone);
  return (
    <ol
      className={styles.wire}
      aria-label={parts.progress}
      style={{ gridTemplateColumns: `repeat(${steps.length - 1}, 1fr) auto` }}
    >
      {steps.map(({ label, note, isDone }, index) => (
        <li
          key={label}
          data-done={isDone || undefined}
          data-through={index < last || undefined}
          aria-current={index === last ? 'step' : undefined}
        >
          {label}
          <span>{note}</span>
        </li>
      ))}
    </ol>
  );
}
