import { useInfiniteQuery } from '@tanstack/react-query';
import { giftwire } from '../../data/client.ts';
import { Empty } from '../../parts/empty.tsx';
import { Pages } from '../../parts/pages.tsx';
import { Screen } from '../../shell/screen.tsx';
import { useWords } from '../../words/words.tsx';
import { GiftRows } from './gift-rows.tsx';

/** Gifts that are spent, expired or cancelled, the latest first. */
export function PastGifts() {
  const { gifts: words } = useWords();
  const read = useInfiniteQuery({
    queryKey: ['gifts', 'past'],
    queryFn: ({ pageParam }) =>
      giftwire.myGifts.list({ standing: 'PAST', size: 30, ...(pageParam && { after: pageParam }) }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
  });
  return (
    <Screen title={words.pastTitle} at="gifts" back="/">
      <h1 className="title broad">{words.pastTitle}</h1>
      <Pages
        read={read}
        empty={<Empty title={words.noPast}>{words.noPastText}</Empty>}
        isEmpty={([first]) => first?.gifts.length === 0}
      >
        {(pages) => <GiftRows gifts={pages.flatMap(({ gifts }) => gifts)} />}
      </Pages>
    </Screen>
  );
}
