import { useInfiniteQuery } from '@tanstack/react-query';
import { giftwire } from '../../data/client.ts';
import { Empty } from '../../parts/empty.tsx';
import { Pages } from '../../parts/pages.tsx';
import { goTo, Link, usePlace } from '../../shell/place.tsx';
import { Screen } from '../../shell/screen.tsx';
import { useWords } from '../../words/words.tsx';
import { Posts } from '../feed/posts.tsx';

type Direction = 'received' | 'given';

/** The shoutouts that a person received and gave, with their words. */
export function Shoutouts() {
  const { shoutouts: words, frame } = useWords();
  const direction: Direction = usePlace().search.get('show') === 'given' ? 'given' : 'received';
  const reads = { received: useShoutouts('received'), given: useShoutouts('given') };
  const read = reads[direction];
  const isReceived = direction === 'received';
  return (
    <Screen title={words.title} at="shoutouts" back="/you">
      <h1 className="title broad">{words.title}</h1>
      <fieldset className="segments" aria-label={words.direction}>
        {(['received', 'given'] as const).map((one) => (
          <button
            key={one}
            type="button"
            aria-pressed={one === direction}
            onClick={() => goTo(one === 'given' ? '/shoutouts?show=given' : '/shoutouts', { replace: true })}
          >
            {words[one](reads[one].data?.pages[0]?.total ?? null)}
          </button>
        ))}
      </fieldset>
      <Pages
        read={read}
        isEmpty={([first]) => first?.posts.length === 0}
        empty={
          <Empty
            title={isReceived ? words.noneReceived : words.noneGiven}
            action={
              <Link className="button" to="/give">
                {frame.giveAction}
              </Link>
            }
          >
            {isReceived ? words.noneReceivedText : words.noneGivenText}
          </Empty>
        }
      >
        {(pages) => <Posts pages={pages} />}
      </Pages>
    </Screen>
  );
}

function useShoutouts(direction: Direction) {
  return useInfiniteQuery({
    queryKey: ['posts', direction],
    queryFn: ({ pageParam }) => giftwire.myShoutouts.list({ direction, ...(pageParam && { after: pageParam }) }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
  });
}
