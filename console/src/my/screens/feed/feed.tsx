import type { FeedPage, FeedQuery } from '@giftwire/sdk';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Icon } from '../../../parts/icon.tsx';
import { giftwire } from '../../data/client.ts';
import { useReasons } from '../../data/reasons.ts';
import { Empty } from '../../parts/empty.tsx';
import { Pages } from '../../parts/pages.tsx';
import { goTo, Link, usePlace } from '../../shell/place.tsx';
import { Screen } from '../../shell/screen.tsx';
import { useWords } from '../../words/words.tsx';
import { Aside } from './aside.tsx';
import { Posts } from './posts.tsx';

type Filter = NonNullable<FeedQuery['filter']>;

/** Who recognized whom, newest first. The filters are in the address, so Back returns to them. */
export function Feed() {
  const { feed: words, frame } = useWords();
  const { search } = usePlace();
  const filter = (search.get('show') ?? 'ALL') as Filter;
  const reasonId = Number(search.get('reason')) || null;
  const read = useInfiniteQuery({
    queryKey: ['posts', 'feed', filter, reasonId],
    queryFn: ({ pageParam }) =>
      giftwire.feed.list({ filter, ...(reasonId && { reasonId }), ...(pageParam && { after: pageParam }) }),
    initialPageParam: '',
    getNextPageParam: ({ next }: FeedPage) => next,
    // What colleagues have written meanwhile is there when one looks again.
    refetchInterval: 60_000,
  });
  const isFiltered = filter !== 'ALL' || reasonId !== null;
  const empty = isFiltered ? (
    <Empty title={words.noneTitle}>{words.noneText}</Empty>
  ) : (
    <Empty
      title={words.emptyTitle}
      action={
        <Link className="button" to="/give">
          {frame.giveAction}
        </Link>
      }
    >
      {words.emptyText}
    </Empty>
  );
  return (
    <Screen title={words.title} at="feed" isWide>
      <h1 className="said">{words.title}</h1>
      <div className="feed">
        <Aside />
        <div>
          <Filters filter={filter} reasonId={reasonId} />
          <Pages read={read} empty={empty} isEmpty={([first]) => first?.posts.length === 0}>
            {(pages) => <Posts pages={pages} />}
          </Pages>
        </div>
      </div>
    </Screen>
  );
}

function Filters({ filter, reasonId }: { filter: Filter; reasonId: number | null }) {
  const { feed: words } = useWords();
  const reasons = useReasons();
  const show = (next: Filter, reason: number | null) => {
    const query = new URLSearchParams({
      ...(next !== 'ALL' && { show: next }),
      ...(reason !== null && { reason: String(reason) }),
    });
    goTo(`/feed${query.size > 0 ? `?${query}` : ''}`, { replace: true });
  };
  const filters: [Filter, string][] = [
    ['ALL', words.everyone],
    ['MY_TEAM', words.myTeam],
    ['MY_LOCATION', words.myLocation],
  ];
  return (
    <fieldset className="pills run" aria-label={words.show}>
      {filters.map(([name, label]) => (
        <button
          key={name}
          type="button"
          className="pill"
          aria-pressed={name === filter}
          onClick={() => show(name, reasonId)}
        >
          {label}
        </button>
      ))}
      {reasons.length > 1 && (
        <span className="choice">
          <select
            className={reasonId === null ? 'pill' : 'pill on'}
            aria-label={words.reason}
            value={reasonId ?? ''}
            onChange={({ target }) => show(filter, Number(target.value) || null)}
          >
            <option value="">{words.anyReason}</option>
            {reasons.map(({ id, description }) => (
              <option key={id} value={id}>
                {description}
              </option>
            ))}
          </select>
          <Icon name="down" size={15} />
        </span>
      )}
    </fieldset>
  );
}
