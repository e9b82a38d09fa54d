import type { ReactNode } from 'react';
import styles from './empty.module.css';
import { WireBow } from './icon.tsx';

interface EmptyProps {
  /** States the fact: No shoutouts wait for you. */
  title: string;
  /** What will be here. */
  children: ReactNode;
  /** One button or link. */
  action?: ReactNode;
}

/** A place with nothing in it yet. */
export function Empty({ title, children, action }: EmptyProps) {
  return (
    <div className={styles.empty}>
      <WireBow />
      <h2>{title}</h2>
      <p className="quiet">{children}</p>
      {action && <div className={styles.action}>{action}</div>}
    </div>
  );
}
