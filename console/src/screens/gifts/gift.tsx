import type { GiftDetails } from '@giftwire/sdk';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { giftwire } from '../../data/client.ts';
import { useCan, useHere } from '../../data/me.tsx';
import { Fault } from '../../parts/fault.tsx';
import { Go } from '../../parts/link.tsx';
import { nameOf } from '../../parts/name.ts';
import { Facts, Letter, Page, Section } from '../../parts/page.tsx';
import { StatePill } from '../../parts/state-pill.tsx';
import { Timeline } from '../../parts/timeline.tsx';
import { Waiting } from '../../parts/waiting.tsx';
import { Wire, type WireStep } from '../../parts/wire.tsx';
import type { Formats } from '../../words/formats.ts';
import { useFormats, useWords, type Words } from '../../words/words.tsx';
import { GiftActions } from './actions.tsx';
import { FixAddress } from './fix-address.tsx';
import { momentsOf } from './moments.tsx';
import { mailNote, needsAddress, standingOf } from './standing.ts';

/** One gift: where it stands, what happened to it and who did it, and what repairs it. */
export default function GiftScreen() {
  const { id = '' } = useParams({ strict: false });
  const { screens, gifts: words } = useWords();
  const gift = useQuery({
    queryKey: ['gifts', 'one', id],
    queryFn: ({ signal }) => giftwire.gifts.retrieve(Number(id), { signal }),
  });
  if (gift.data) return <Shown gift={gift.data} />;
  return (
    <Page title={screens.gift} above={<Go to="/gifts">{words.title}</Go>}>
      {gift.error ? <Fault error={gift.error} retry={() => void gift.refetch()} /> : <Waiting lines={8} />}
    </Page>
  );
}

function Shown({ gift }: { gift: GiftDetails }) {
  const all = useWords();
  const { gifts: words } = all;
  const formats = useFormats();
  const can = useCan();
  const name = nameOf(gift.recipient);
  const { workspace } = useHere();
  // A manager corrects the gifts that they sent.
  const canCorrect = can('gifts:correct') && (can('gifts:manage') || gift.senderId === workspace.memberId);
  return (
    <Page
      title={words.heading(formats.money(gift.amount, gift.currency), name)}
      beside={<StatePill state={standingOf(gift)} />}
      above={
        <>
          <Go to="/gifts">{words.title}</Go> / {gift.id}
        </>
      }
      actions={can('gifts:manage') && <GiftActions gift={gift} />}
    >
      <Wire steps={stepsOf(gift, words, formats)} />
      {needsAddress(gift) && canCorrect && <FixAddress gift={gift} />}
      <div className="two">
        <Section title={words.happened}>
          <Timeline moments={momentsOf(gift, all, formats)} />
        </Section>
        <div>
          <Letter by={`${gift.senderName}, ${gift.reason}`}>{gift.message}</Letter>
          {gift.thanks && <Letter by={`${name}, ${words.thanks}`}>{gift.thanks}</Letter>}
          <GiftFacts gift={gift} name={name} />
        </div>
      </div>
    </Page>
  );
}

function stepsOf(gift: GiftDetails, words: Words['gifts'], formats: Formats): WireStep[] {
  const { steps, until, states } = words;
  const { state, issuedAt, sentAt, claimedAt, expiresAt } = gift;
  const isClaimed = claimedAt !== null;
  // While the email is sent again, and after it has failed, it is not sent, as the pill says.
  const isSent = isClaimed || (state === 'ISSUED' ? standingOf(gift) === 'SENT' : sentAt !== null);
  const isSpent = state === 'REDEEMED' || state === 'PARTLY_REDEEMED';
  const claim = isClaimed ? formats.day(claimedAt) : expiresAt ? until(formats.day(expiresAt)) : '';
  const all = [
    { label: steps.issued, note: formats.day(issuedAt), isDone: true },
    { label: steps.sent, note: isSent && sentAt ? formats.day(sentAt) : '', isDone: isSent },
    { label: steps.claimed, note: claim, isDone: isClaimed },
    { label: steps.spent, note: gift.redeemed > 0 ? formats.money(gift.redeemed, gift.currency) : '', isDone: isSpent },
  ];
  if (state !== 'CANCELLED' && state !== 'EXPIRED') return all;
  // Nothing is to come: what happened, and how it ended.
  const end = gift.timeline.find(({ type }) => type === state)?.at ?? expiresAt;
  return [...all.filter(({ isDone }) => isDone), { label: states[state], note: end && formats.day(end), isDone: true }];
}

function GiftFacts({ gift, name }: { gift: GiftDetails; name: string }) {
  const { gifts: words } = useWords();
  const formats = useFormats();
  const can = useCan();
  const canReadOrders = can('orders:read') && can('gifts:manage');
  const { facts } = words;
  const mail = [gift.address, mailNote(gift, words, formats), words.edition(gift.edition)].filter(Boolean);
  return (
    <Facts
      facts={[
        [facts.for, <PersonOf key="for" id={gift.recipient.id} name={name} />],
        [facts.from, gift.senderName],
        gift.redeemed > 0
          ? [
              facts.left,
              words.leftOf(formats.money(leftOf(gift), gift.currency), formats.money(gift.amount, gift.currency)),
            ]
          : [facts.amount, formats.money(gift.amount, gift.currency)],
        [facts.ends, gift.expiresAt ? formats.date(gift.expiresAt) : words.never],
        [facts.mail, mail.join(' · ') || words.note.printed],
        ...(gift.customerRequestId ? [[facts.reference, gift.customerRequestId] as const] : []),
        ...(canReadOrders ? [[facts.order, <OrderOf key="order" requestId={gift.requestId} />] as const] : []),
      ]}
    />
  );
}

/** What the recipient has not spent; exact to the cent. */
function leftOf({ amount, redeemed }: GiftDetails): number {
  return Math.round((amount - redeemed) * 10_000) / 10_000;
}

function PersonOf({ id, name }: { id: number; name: string }) {
  return useCan()('directory:read') ? <Go to={`/people/${id}`}>{name}</Go> : name;
}

function OrderOf({ requestId }: { requestId: string }) {
  const { orders: words } = useWords();
  const order = useQuery({
    queryKey: ['orders', 'size', requestId],
    queryFn: ({ signal }) => giftwire.orders.details(requestId, { size: 1 }, { signal }),
  });
  const name = words.name(order.data?.orderId ?? requestId.slice(0, 8));
  return (
    <>
      <Go to={`/orders/${requestId}`}>{name}</Go>
      {order.data && `, ${words.giftsOf(order.data.gifts)}`}
    </>
  );
}
