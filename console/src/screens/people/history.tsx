import type { Member, MemberActivity } from '@giftwire/sdk';
import { SegmentedControl } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { giftwire } from '../../data/client.ts';
import { useCan } from '../../data/me.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Fault } from '../../parts/fault.tsx';
import { Go } from '../../parts/link.tsx';
import { nameOf } from '../../parts/name.ts';
import { Section } from '../../parts/page.tsx';
import { useTurning } from '../../parts/pages.tsx';
import { Foot } from '../../parts/table.tsx';
import { Dot } from '../../parts/timeline.tsx';
import { Waiting } from '../../parts/waiting.tsx';
import { When } from '../../parts/when.tsx';
import { useWords } from '../../words/words.tsx';
import styles from './people.module.css';

type Direction = 'received' | 'given';
const size = 20;

/** What a person received and what they gave, with the words that came with it. */
export function History({ member }: { member: Member }) {
  const { people: words } = useWords();
  const [direction, setDirection] = useState<Direction>('received');
  return (
    <Section
      title={words.history}
      beside={
        <SegmentedControl
          className={styles.choice}
          aria-label={words.history}
          value={direction}
          onChange={(chosen) => setDirection(chosen as Direction)}
          data={[
            { value: 'received', label: words.received },
            { value: 'given', label: words.given },
          ]}
        />
      }
    >
      <Activities key={direction} member={member} direction={direction} />
    </Section>
  );
}

function Activities({ member, direction }: { member: Member; direction: Direction }) {
  const { people: words } = useWords();
  const pages = useInfiniteQuery({
    queryKey: ['people', 'activities', member.id, direction],
    queryFn: ({ pageParam, signal }) =>
      giftwire.members.activities(
        member.id,
        { direction, size, ...(pageParam !== null && { after: pageParam }) },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  });
  const { rows, isEmpty, foot } = useTurning(pages, ({ activities }) => activities, { size });
  if (pages.error) return <Fault error={pages.error} retry={() => void pages.refetch()} />;
  if (!pages.data) return <Waiting lines={6} />;
  const name = nameOf(member);
  if (isEmpty)
    return direction === 'received' ? (
      <Empty title={words.noneReceived(name)}>{words.noneReceivedText}</Empty>
    ) : (
      <Empty title={words.noneGiven(name)}>{words.noneGivenText}</Empty>
    );
  return (
    <>
      <ul className={styles.feed}>
        {rows.map((activity) => (
          <Given
            key={`${activity.type} ${activity.giftId ?? activity.shoutoutId}`}
            activity={activity}
            direction={direction}
          />
        ))}
      </ul>
      <Foot>{foot}</Foot>
    </>
  );
}

function Given({ activity, direction }: { activity: MemberActivity; direction: Direction }) {
  const { people: words } = useWords();
  const can = useCan();
  const { type, giftId, description, createdOn, reason, isPrivate, status } = activity;
  const other = direction === 'received' ? activity.sender : activity.receiver;
  const name = nameOf({ ...other, employeeNumber: null });
  const notes = [reason.description, isPrivate && words.private, status === 'PENDING' && words.pending].filter(Boolean);
  const kind = words.kinds[type];
  return (
    <li>
      <Dot icon={type === 'GIFT' ? 'gift' : 'heart'} tone="brand" />
      <div>
        <b>{giftId !== null && can('gifts:read') ? <Go to={`/gifts/${giftId}`}>{kind}</Go> : kind}</b>{' '}
        {direction === 'received' ? words.from(name) : words.to(name)}
        <span className="quiet small">
          {' '}
          · {notes.join(' · ')} · <When time={createdOn} />
        </span>
        {description && <p className={`letter ${styles.said}`}>{description}</p>}
      </div>
    </li>
  );
}
