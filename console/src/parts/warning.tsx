import type { ReactNode } from 'react';
import { Icon } from './icon.tsx';
import styles from './warning.module.css';

/** What will not work as things are, and what to do, in the place where it is set. */
export function Warning({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div role="status" className={styles.warning}>
      <Icon name="warn" />
      <div>
        <b>{title}</b>
        {children}
      </div>
    </div>
  );
}
