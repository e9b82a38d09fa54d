import type { FeedPost } from '@giftwire/sdk';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Face } from '../../../parts/face.tsx';
import { giftwire } from '../../data/client.ts';
import { fullName } from '../../data/people.ts';
import { Pages } from '../../parts/pages.tsx';
import { useWords } from '../../words/words.tsx';

/** Everyone whom a shoutout is for, when there are more than its sentence names. */
export function AllReceivers({ post: { id, receiverCount, team } }: { post: FeedPost }) {
  const { feed: words } = useWords();
  const [isAsked, setIsAsked] = useState(false);
  const read = useInfiniteQuery({
    queryKey: ['post', id, 'receivers'],
    queryFn: ({ pageParam }) => giftwire.feed.receivers(id, { size: 50, ...(pageParam && { after: pageParam }) }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    enabled: isAsked,
  });
  if (receiverCount <= 3 && !team) return null;
  if (!isAsked)
    return (
      <p className="small">
        <button type="button" className="link" onClick={() => setIsAsked(true)}>
          {words.showAll(receiverCount)}
        </button>
      </p>
    );
  return (
    <section className="block">
      <h2>{words.allReceivers}</h2>
      <Pages read={read} empty={null}>
        {(pages) => (
          <ul className="people">
            {pages
              .flatMap(({ people }) => people)
              .map((person) => (
                <li className="person" key={person.id}>
                  <Face name={fullName(person)} size={40} />
                  <b>{fullName(person)}</b>
                </li>
              ))}
          </ul>
        )}
      </Pages>
    </section>
  );
}
