import type { ReactNode } from 'react';
import styles from './bars.module.css';

/** Below the whole by so much a group is one to act on. */
const margin = 0.05;

export interface Bar {
  key: string;
  name: ReactNode;
  /** From 0 to 1. */
  share: number;
  /** 41% */
  figure: string;
  /** 39/96 */
  counts: string;
}

/** Shares of groups, one under the other. The dashed line is the share of all, and only groups below it have a colour. */
export function Bars({ label, bars, whole }: { label: string; bars: readonly Bar[]; whole: number | null }) {
  return (
    <ul className={styles.bars} aria-label={label}>
      {bars.map(({ key, name, share, figure, counts }) => (
        <li key={key} data-low={isLow(share, whole) || undefined}>
          <span className={styles.name} title={typeof name === 'string' ? name : undefined}>
            {name}
          </span>
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

interface ShareBarProps extends Pick<Bar, 'share' | 'figure' | 'counts'> {
  whole: number | null;
}

/** One bar inside a table. It has a colour where it is below the share of all. */
export function ShareBar({ share, figure, counts, whole }: ShareBarProps) {
  return (
    <span className={styles.one} data-low={isLow(share, whole) || undefined}>
      <span className={styles.track} aria-hidden="true">
        <i style={{ width: `${share * 100}%` }} />
      </span>
      <span className={styles.value}>
        <b>{figure}</b> <span className="quiet small">{counts}</span>
      </span>
    </span>
  );
}

function isLow(share: number, whole: number | null): boolean {
  return whole !== null && share < whole - margin;
}
