import type { Activity, UserSummary } from '@giftwire/sdk';
import type { ReactNode } from 'react';
import { useCan } from '../data/me.tsx';
import { useWords } from '../words/words.tsx';
import { Face } from './face.tsx';
import styles from './feed.module.css';
import { Go } from './link.tsx';
import { nameOf } from './name.ts';
import { When } from './when.tsx';

interface FeedProps<Row extends FeedRow> {
  activities: readonly Row[];
  /** What can be done about a row. */
  action?: (row: Row) => ReactNode;
  /** What else is known of a row. */
  note?: (row: Row) => ReactNode;
}

export type FeedRow = Omit<Activity, 'status'> & { status: string; id?: number };

/** Who thanked whom, in the words that they wrote. */
export function Feed<Row extends FeedRow>({ activities, action, note }: FeedProps<Row>) {
  const { home } = useWords();
  return (
    <ul className={styles.feed}>
      {activities.map((one) => (
        <li key={one.id ?? `${one.createdOn} ${one.sender.id} ${one.receiver.id} ${one.description}`}>
          <Face name={nameOf(one.sender)} />
          <div>
            <p>
              <Person user={one.sender} /> {home.thanked} <Person user={one.receiver} />
            </p>
            <blockquote className="letter">{one.description}</blockquote>
            <p className="quiet small">
              {[
                one.type === 'GIFT' ? home.gift : home.shoutout,
                one.reason.description,
                one.isPrivate && home.isPrivate,
                one.status === 'PENDING' && home.waitsForApproval,
              ]
                .filter(Boolean)
                .join(' · ')}{' '}
              · <When time={one.createdOn} as="ago" />
            </p>
            {note && <p className="second small">{note(one)}</p>}
          </div>
          {action && <div className={styles.action}>{action(one)}</div>}
        </li>
      ))}
    </ul>
  );
}

function Person({ user }: { user: UserSummary }) {
  const can = useCan();
  if (!can('directory:read')) return <b>{nameOf(user)}</b>;
  return (
    <Go to={`/people/${user.id}`} className={styles.person}>
      {nameOf(user)}
    </Go>
  );
}
