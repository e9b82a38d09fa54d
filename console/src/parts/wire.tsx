import type { ReactNode } from 'react';
import { useWords } from '../words/words.tsx';
import { Icon } from './icon.tsx';
import styles from './wire.module.css';

export interface WireStep {
  label: string;
  note?: ReactNode;
  isDone: boolean;
  /** PAUSE: it waits here. END: it ended here, before the last step. */
  mark?: 'PAUSE' | 'END';
}

interface WireProps {
  steps: readonly WireStep[];
  /** Its labels are long, so on a phone its steps stand under each other. */
  turns?: boolean;
}

/** How far something has come: solid has happened, dashed is to come. */
export function Wire({ steps, turns = false }: WireProps) {
  const { parts } = useWords();
  const last = steps.findLastIndex(({ isDone, mark }) => isDone || mark);
  return (
    <ol
      className={styles.wire}
      data-turns={turns || undefined}
      aria-label={parts.progress}
      style={{ gridTemplateColumns: `repeat(${steps.length - 1}, 1fr) auto` }}
    >
      {steps.map(({ label, note, isDone, mark }, index) => (
        <li
          key={label}
          data-done={isDone || undefined}
          data-mark={mark}
          data-through={index < last || undefined}
          aria-current={index === last ? 'step' : undefined}
        >
          {mark === 'PAUSE' && (
            <i className={styles.pause}>
              <Icon name="pause" size={12} />
            </i>
          )}
          {label}
          <span>{note}</span>
        </li>
      ))}
    </ol>
  );
}
