import type { Activity, UserSummary } from '@giftwire/sdk';
import { UnstyledButton } from '@mantine/core';
import { Fragment, type ReactNode, useState } from 'react';
import { useCan } from '../data/me.tsx';
import { useFormats, useWords } from '../words/words.tsx';
import { Face } from './face.tsx';
import styles from './feed.module.css';
import { Go } from './link.tsx';
import { nameOf } from './name.ts';
import { When } from './when.tsx';

interface FeedProps<Row extends FeedRow> {
  activities: readonly Row[];
  /** What else is known of a row. */
  note?: (row: Row) => ReactNode;
  /** The maximum number of entries. */
  most?: number;
  /** There are rows after these, so the last entry may have thanked more people. */
  isCut?: boolean;
}

export type FeedRow = Omit<Activity, 'status'> & { status: string; id?: number };

/** Who thanked whom, in the words that they wrote. The same words to several people are one entry. */
export function Feed<Row extends FeedRow>({ activities, note, most, isCut = false }: FeedProps<Row>) {
  const { home } = useWords();
  const entries = together(activities);
  return (
    <ul className="entries">
      {entries.slice(0, most).map(({ one, receivers }, nth) => (
        <li key={one.id ?? `${one.createdOn} ${one.sender.id} ${one.receiver.id} ${one.description}`}>
          <Face name={nameOf(one.sender)} />
          <div>
            <p>
              <Person user={one.sender} /> {home.thanked}{' '}
              <People users={receivers} isCut={isCut && nth === entries.length - 1} />
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
        </li>
      ))}
    </ul>
  );
}

/** Rows that follow each other and differ in nothing but whom they thank. */
function together<Row extends FeedRow>(activities: readonly Row[]): { one: Row; receivers: UserSummary[] }[] {
  const entries: { one: Row; receivers: UserSummary[] }[] = [];
  for (const one of activities) {
    const last = entries.at(-1);
    if (last && sameWords(last.one) === sameWords(one)) last.receivers.push(one.receiver);
    else entries.push({ one, receivers: [one.receiver] });
  }
  return entries;
}

function sameWords({ sender, type, description, reason, isPrivate, status, createdOn }: FeedRow): string {
  return JSON.stringify([sender.id, type, description, reason.id, isPrivate, status, createdOn]);
}

const namesAtFirst = 3;

/** Liam, Kavya, Jamal and 5 others; a click names the others too. */
function People({ users, isCut }: { users: readonly UserSummary[]; isCut: boolean }) {
  const { home } = useWords();
  const { listParts } = useFormats();
  const [isOpen, setOpen] = useState(false);
  const isShort = isOpen || users.length <= namesAtFirst + 1;
  const named = isShort ? users : users.slice(0, namesAtFirst);
  const names = named.map((user) => <Person key={user.id} user={user} />);
  const others = (
    <UnstyledButton key="others" className={styles.others} onClick={() => setOpen(true)}>
      {home.others(isCut ? null : users.length - named.length)}
    </UnstyledButton>
  );
  return listParts(isShort ? names : [...names, others]).map((part, nth) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence have no other name
    <Fragment key={nth}>{part}</Fragment>
  ));
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
