import type { ReactNode } from 'react';
import styles from './bars.module.css';

export interface Bar {
  key: string;
  name: ReactNode;
  /** From 0 to 1. */
  share: number;
  /** 41% */
  figure: string;
  /** 39/96 */
  counts: string;
  /** Somebody should do something about it: only these have a colour. */
  isLow: boolean;
}

/** Shares of groups, one under the other. The dashed line is the share of all. */
export function Bars({ label, bars, whole }: { label: string; bars: readonly Bar[]; whole: number | null }) {
  return (
    <ul className={styles.bars} aria-label={label}>
      {bars.map(({ key, name, share, figure, counts, isLow }) => (
        <li key={key} data-low={isLow || undefined}>
          <span className={styles.name}>{name}</span>
          <span className={styles.track} aria-hidden="true">
            <i style={{ width: `${share * 100}%` }} />
            {whole !== null && <s style={{ left: `${whole * 100}%` }} />}
          </span>
          <span className={styles.value}>
            <b>{figure}</b> <span className="quiet small">{counts}</span>
          </span>
        </li>
      ))}
    </ul>
  );
}
