import type { ReactNode } from 'react';
import styles from './figures.module.css';

export interface Figure {
  name: string;
  value: ReactNode;
  /** What the figure is made of, under it. */
  note?: ReactNode;
  /** Needs care. */
  isAmber?: boolean;
}

/** The figures of a screen in one line between two hairlines. */
export function Figures({ label, figures }: { label: string; figures: readonly Figure[] }) {
  return (
    <dl className={styles.strip} aria-label={label}>
      {figures.map(({ name, value, note, isAmber }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <b data-amber={isAmber || undefined}>{value}</b>
            {note}
          </dd>
        </div>
      ))}
    </dl>
  );
}
