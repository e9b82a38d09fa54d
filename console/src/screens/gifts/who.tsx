import type { ReactNode } from 'react';
import { Face } from '../../parts/face.tsx';
import { Go } from '../../parts/link.tsx';
import styles from './gifts.module.css';

/** A person in the first column of a table: initials, the linked name, and a line under it. */
export function Who({ name, to, line }: { name: string; to: string; line?: ReactNode }) {
  return (
    <span className={styles.who}>
      <Face name={name} />
      <span>
        <Go to={to}>{name}</Go>
        {line && line !== name && <small>{line}</small>}
      </span>
    </span>
  );
}
