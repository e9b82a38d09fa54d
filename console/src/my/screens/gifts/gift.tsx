import type { MyGiftDetails } from '@giftwire/sdk';
import { GiftwireError } from '@giftwire/sdk';
import { useQuery } from '@tanstack/react-query';
import { Face } from '../../../parts/face.tsx';
import { Icon } from '../../../parts/icon.tsx';
import { giftwire } from '../../data/client.ts';
import { expiryText } from '../../data/expiry.ts';
import { Fault } from '../../parts/fault.tsx';
import { NotHere } from '../../parts/not-here.tsx';
import { Waiting } from '../../parts/waiting.tsx';
import { Link } from '../../shell/place.tsx';
import { Screen } from '../../shell/screen.tsx';
import { useFormats, useWords } from '../../words/words.tsx';
import { Claim } from './claim.tsx';
import { GiftCode } from './gift-code.tsx';
import { Parcel } from './parcel.tsx';
import { Thank } from './thank.tsx';

/** One gift: its letter, what is left of it, and what can be done with it. */
export function Gift({ id }: { id: number }) {
  const { gifts: words } = useWords();
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['gifts', id],
    queryFn: () => giftwire.myGifts.retrieve(id),
  });
  const isGone = error instanceof GiftwireError && error.status === 404;
  return (
    <Screen title={words.one} at="gifts" back="/">
      {isGone ? <NotHere title={words.gone} /> : <Fault error={error} retry={() => void refetch()} />}
      {isPending && !isGone && <Waiting hasSum rows={2} />}
      {data && (data.standing === 'SEALED' ? <Parcel gift={data} /> : <Opened gift={data} />)}
    </Screen>
  );
}

function Opened({ gift }: { gift: MyGiftDetails }) {
  const { gifts: words } = useWords();
  const formats = useFormats();
  const { message, reason, senderName, currency, amount, left, standing, state } = gift;
  const isOpen = standing === 'OPEN';
  const isUnclaimed = state === 'ISSUED';
  const { text, isSoon } = expiryText(gift.expiresAt, words, formats);
  return (
    <>
      <h1 className="said">{words.openTitle(senderName)}</h1>
      <article className="sheet">
        {reason && <p className="why">{reason}</p>}
        {message && <blockquote className="letter ruled">{message}</blockquote>}
        <div className="by">
          <Face name={senderName} size={40} />
          <div>
            <b>{senderName}</b>
            <p className="small quiet">{formats.date(gift.issuedAt)}</p>
          </div>
        </div>
        {currency !== null && amount !== null && left !== null && (
          <div className="standing">
            <div>
              <p className="small quiet">{isOpen ? words.left : words.worth}</p>
              <p className="large amount">{formats.money(isOpen ? left : amount, currency)}</p>
            </div>
            <div className="small">
              {!isOpen && words.states[state]}
              {isOpen && left < amount && <p className="quiet">{words.of(formats.money(amount, currency))}</p>}
              {isOpen && (
                <p className={isSoon ? 'soon small' : 'quiet'}>
                  {isSoon && <Icon name="clock" size={15} />}
                  {text}
                </p>
              )}
            </div>
          </div>
        )}
      </article>
      {isOpen && isUnclaimed && <Claim gift={gift} />}
      {isOpen && !gift.needsCode && (
        <p className="block">
          <Link className={isUnclaimed ? 'button plain' : 'button'} to={`/spend?gift=${gift.id}`}>
            {words.spendThis}
          </Link>
        </p>
      )}
      <Spent gift={gift} />
      {!isUnclaimed && state !== 'EXPIRED' && state !== 'CANCELLED' && <Thank gift={gift} />}
      {isOpen && !isUnclaimed && <GiftCode id={gift.id} />}
    </>
  );
}

/** What was spent of it, the newest first. */
function Spent({ gift: { redemptions, currency } }: { gift: MyGiftDetails }) {
  const { gifts: words } = useWords();
  const formats = useFormats();
  if (redemptions.length === 0 || currency === null) return null;
  return (
    <section className="block">
      <h2>{words.spentTitle}</h2>
      <div className="card">
        {redemptions.map(({ id, spendingId, spendingOptionName, retailer, spentAt, amount, state }) => (
          <Link className="line" key={id} to={`/spending/${spendingId}`}>
            <span>
              {retailer ?? spendingOptionName}
              <span className="small">
                {[formats.date(spentAt), words.spendingStates[state]].filter(Boolean).join(' · ')}
              </span>
            </span>
            <span className="value amount">
              {formats.money(amount, currency)}
              <Icon name="next" size={15} />
            </span>
          </Link>
        ))}
      </div>
    </section>
  );
}
