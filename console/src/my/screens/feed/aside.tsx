import { useOpenGifts } from '../../data/open-gifts.ts';
import { Sum } from '../../parts/sum.tsx';
import { Link } from '../../shell/place.tsx';
import { useFormats, useWords } from '../../words/words.tsx';
import { GiftRows } from '../gifts/gift-rows.tsx';

/** Beside the feed on wide screens: what can be spent. */
export function Aside() {
  const { gifts: words, feed } = useWords();
  const formats = useFormats();
  const { data } = useOpenGifts();
  const [first, ...others] = data?.totals ?? [];
  return (
    <aside className="aside">
      {data && first && (
        <>
          <Sum
            label={words.toSpend}
            amount={formats.money(first.left, first.currency)}
            note={
              others.length > 0
                ? words.and(formats.list(others.map(({ left, currency }) => formats.money(left, currency))))
                : null
            }
          >
            <Link className="button paper" to="/spend">
              {words.spend}
            </Link>
          </Sum>
          <GiftRows gifts={data.gifts.slice(0, 1)} />
          <p className="small">
            <Link className="link" to="/">
              {feed.allGifts(data.counts.open)}
            </Link>
          </p>
        </>
      )}
    </aside>
  );
}
