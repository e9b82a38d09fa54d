import type { MyGift } from '@giftwire/sdk';
import { Face } from '../../../parts/face.tsx';
import { Icon } from '../../../parts/icon.tsx';
import { expiryText } from '../../data/expiry.ts';
import { Link } from '../../shell/place.tsx';
import { useFormats, useWords } from '../../words/words.tsx';

/** Gifts under each other: who sent it, until when, and what is left. */
export function GiftRows({ gifts }: { gifts: readonly MyGift[] }) {
  return (
    <ul className="people">
      {gifts.map((gift) => (
        <li key={gift.id}>
          <Link className="person" to={`/gifts/${gift.id}`}>
            <Face name={gift.senderName} size={40} />
            <span>
              <b>{gift.senderName}</b>
              {gift.standing === 'PAST' ? <State gift={gift} /> : <Until gift={gift} />}
            </span>
            <Worth gift={gift} />
          </Link>
        </li>
      ))}
    </ul>
  );
}

function Until({ gift }: { gift: MyGift }) {
  const { gifts: words } = useWords();
  const formats = useFormats();
  if (gift.needsCode) return <span className="small">{words.needsCode}</span>;
  const { text, isSoon } = expiryText(gift.expiresAt, words, formats);
  if (!isSoon) return <span className="small">{text}</span>;
  return (
    <span className="small soon">
      <Icon name="clock" size={15} />
      {text}
    </span>
  );
}

function State({ gift }: { gift: MyGift }) {
  const { gifts: words } = useWords();
  return <span className="small">{words.states[gift.state]}</span>;
}

function Worth({ gift: { amount, left, currency, standing } }: { gift: MyGift }) {
  const { gifts: words } = useWords();
  const formats = useFormats();
  if (amount === null || left === null || currency === null) return <span />;
  const isPast = standing === 'PAST';
  return (
    <span className={isPast ? 'worth amount gone' : 'worth amount'}>
      {formats.money(isPast ? amount : left, currency)}
      {!isPast && left < amount && (
        <span className="small quiet">
          <br />
          {words.of(formats.money(amount, currency))}
        </span>
      )}
    </span>
  );
}
