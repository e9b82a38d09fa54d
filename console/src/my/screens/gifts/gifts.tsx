import type { MyGiftPage, MyTotal } from '@giftwire/sdk';
import { useCan } from '../../data/me.tsx';
import { useMyFirstName } from '../../data/name.ts';
import { useOpenGifts } from '../../data/open-gifts.ts';
import { Empty } from '../../parts/empty.tsx';
import { Fault } from '../../parts/fault.tsx';
import { Sum } from '../../parts/sum.tsx';
import { Waiting } from '../../parts/waiting.tsx';
import { Link } from '../../shell/place.tsx';
import { Screen } from '../../shell/screen.tsx';
import { useFormats, useWords } from '../../words/words.tsx';
import { GiftRows } from './gift-rows.tsx';
import { SealedGifts } from './sealed.tsx';

/** All gifts in one place: one total, one action, and what expires first. */
export function Gifts() {
  const { gifts: words } = useWords();
  const open = useOpenGifts();
  return (
    <Screen title={words.title} at="gifts" isWide>
      <h1 className="said">{words.title}</h1>
      <Fault error={open.error} retry={() => void open.refetch()} />
      {open.isPending && <Waiting hasSum />}
      {open.data && <MyGifts page={open.data} />}
    </Screen>
  );
}

function MyGifts({ page }: { page: MyGiftPage }) {
  const { gifts: words } = useWords();
  const { totals, counts, gifts } = page;
  if (counts.sealed + counts.open === 0) return <NoGifts past={counts.past} />;
  return (
    <div className="columns">
      <div>
        {totals.length > 0 && <Total totals={totals} />}
        {counts.sealed > 0 && <SealedGifts />}
      </div>
      <div>
        {gifts.length > 0 && (
          <>
            <div className="head">
              <h2>{words.list}</h2>
              <span className="small quiet">{words.order}</span>
            </div>
            <GiftRows gifts={gifts} />
          </>
        )}
        <Past past={counts.past} />
      </div>
    </div>
  );
}

function Total({ totals }: { totals: readonly MyTotal[] }) {
  const { gifts: words } = useWords();
  const formats = useFormats();
  const [first, ...others] = totals.map(({ left, currency }) => formats.money(left, currency));
  return (
    <Sum label={words.toSpend} amount={first ?? ''} note={others.length > 0 ? words.and(formats.list(others)) : null}>
      <Link className="button paper" to="/spend">
        {words.spend}
      </Link>
    </Sum>
  );
}

function NoGifts({ past }: { past: number }) {
  const { gifts: words, frame } = useWords();
  const can = useCan();
  const name = useMyFirstName();
  const isNew = past === 0;
  const text = can('feed:write') ? words.emptyText : words.emptyTextOnly;
  return (
    <>
      <Empty
        title={isNew ? words.emptyTitle(name) : words.nothingLeft}
        action={
          can('feed:write') && (
            <Link className="button" to="/give">
              {frame.giveAction}
            </Link>
          )
        }
      >
        {isNew ? text : words.nothingLeftText}
      </Empty>
      <Past past={past} />
    </>
  );
}

function Past({ past }: { past: number }) {
  const { gifts: words } = useWords();
  if (past === 0) return null;
  return (
    <p className="small">
      <Link className="link" to="/gifts/past">
        {words.past(past)}
      </Link>
    </p>
  );
}
