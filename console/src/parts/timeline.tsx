import type { ReactNode } from 'react';
import { Icon, type IconName } from './icon.tsx';
import type { Tone } from './state-pill.tsx';
import styles from './timeline.module.css';

export interface Moment {
  key: string | number;
  icon: IconName;
  tone?: Tone;
  /** What happened, and who did it in bold. */
  title: ReactNode;
  text?: ReactNode;
  /** What a machine answered, word for word. */
  raw?: string | null;
  when: ReactNode;
  /** It has not happened yet. */
  isNext?: boolean;
}

/** What happened to one object, the newest first. */
export function Timeline({ moments }: { moments: readonly Moment[] }) {
  return (
    <ol className={styles.timeline}>
      {moments.map(({ key, icon, tone = 'neutral', title, text, raw, when, isNext = false }) => (
        <li key={key} data-next={isNext || undefined}>
          <span className={styles.dot} data-tone={tone}>
            <Icon name={icon} />
          </span>
          <div className={styles.body}>
            {title}
            {text && <div className="quiet">{text}</div>}
            {raw && <code className="raw">{raw}</code>}
          </div>
          <div className={styles.when}>{when}</div>
        </li>
      ))}
    </ol>
  );
}

/** An icon in a soft square: rows of what needs attention. */
export function Dot({ icon, tone = 'neutral' }: { icon: IconName; tone?: Tone }) {
  return (
    <span className={`${styles.dot} ${styles.square}`} data-tone={tone}>
      <Icon name={icon} />
    </span>
  );
}
