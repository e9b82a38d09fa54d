import type { GiftDetails, TimelineEntry } from '@giftwire/sdk';
import type { IconName } from '../../parts/icon.tsx';
import { nameOf } from '../../parts/name.ts';
import type { Tone } from '../../parts/state-pill.tsx';
import type { Moment } from '../../parts/timeline.tsx';
import { When } from '../../parts/when.tsx';
import type { Formats } from '../../words/formats.ts';
import type { Words } from '../../words/words.tsx';

type GiftWords = Words['gifts'];

/** What happened to a gift, the newest first, with what is to come above it. */
export function momentsOf(gift: GiftDetails, { gifts: words, spending }: Words, formats: Formats): Moment[] {
  const told = gift.timeline.map((entry, index) => {
    const moment = momentOf(gift, entry, index, words, formats);
    return isSpending(entry) ? { ...moment, text: spentText(gift, entry, words, spending.kinds, formats) } : moment;
  });
  return [...comingOf(gift, words), ...told.reverse()];
}

function comingOf({ dueAt, reminderAt, state }: GiftDetails, { happens }: GiftWords): Moment[] {
  if (state !== 'ISSUED') return [];
  const coming = (key: string, title: string, at: string): Moment => ({
    key,
    icon: 'bell',
    title: <b>{title}</b>,
    when: <When time={at} />,
    isNext: true,
  });
  return [
    ...(reminderAt ? [coming('reminder', happens.reminder, reminderAt)] : []),
    ...(dueAt ? [coming('mail', happens.mail, dueAt)] : []),
  ];
}

const looks: Record<string, { icon: IconName; tone?: Tone }> = {
  ISSUED: { icon: 'gift' },
  SENT: { icon: 'plane', tone: 'blue' },
  RESENT: { icon: 'repeat' },
  DEFERRED: { icon: 'clock', tone: 'amber' },
  DELIVERY_FAILED: { icon: 'warn', tone: 'red' },
  THANKS_FAILED: { icon: 'warn', tone: 'red' },
  VIEWED: { icon: 'eye' },
  CLAIMED: { icon: 'bow', tone: 'brand' },
  THANKED: { icon: 'heart', tone: 'brand' },
  THANKS_SENT: { icon: 'mail' },
  DECISION_SENT: { icon: 'mail' },
  REMINDED: { icon: 'bell' },
  CODE_SENT: { icon: 'key' },
  REISSUED: { icon: 'pen' },
  EXTENDED: { icon: 'clock' },
  EXPIRED: { icon: 'clock', tone: 'amber' },
  CANCELLED: { icon: 'no' },
  REDEEMED: { icon: 'coin', tone: 'green' },
  REVERSED: { icon: 'repeat' },
};

function momentOf(
  gift: GiftDetails,
  { type, at, detail }: TimelineEntry,
  index: number,
  words: GiftWords,
  formats: Formats,
): Moment {
  const answer = typeof detail.answer === 'string' ? detail.answer : null;
  return {
    key: index,
    ...(looks[type] ?? { icon: 'ring' }),
    title: titleOf(gift, type, detail, words),
    text: textOf(gift, type, detail, words, formats),
    raw: answer,
    when: <When time={at} />,
  };
}

/** Actions start with their actor. */
const done = ['RESENT', 'REISSUED', 'EXTENDED', 'CANCELLED'] as const;

function titleOf(gift: GiftDetails, type: string, detail: Record<string, unknown>, { happens }: GiftWords) {
  if (type === 'ISSUED') return doneBy(gift.senderName, happens.ISSUED);
  if (type === 'CLAIMED' || type === 'THANKED' || type === 'REDEEMED')
    return doneBy(nameOf(gift.recipient), happens[type]);
  if (type === 'REVERSED' && detail.by) return doneBy(actorOf(detail.by, happens), happens.reversed);
  const act = done.find((one) => one === type);
  if (act) return doneBy(actorOf(detail.by, happens), happens[act]);
  const label = (happens as Record<string, unknown>)[type];
  const address = typeof detail.address === 'string' && type === 'SENT' ? detail.address : null;
  return (
    <>
      <b>{typeof label === 'string' ? label : type}</b>
      {address && ` ${happens.sentTo} ${address}`}
    </>
  );
}

function doneBy(name: string, what: string) {
  return (
    <>
      <b>{name}</b> {what}
    </>
  );
}

function actorOf(by: unknown, { unknown, commandLine }: GiftWords['happens']): string {
  const { is, name } = (by ?? {}) as { is?: string; name?: string | null };
  return name || (is === 'CLI' ? commandLine : unknown);
}

function textOf(
  gift: GiftDetails,
  type: string,
  detail: Record<string, unknown>,
  { happens, whyFailed }: GiftWords,
  formats: Formats,
) {
  const text = (name: string) => (typeof detail[name] === 'string' ? (detail[name] as string) : null);
  if (type === 'ISSUED') return formats.money(gift.amount, gift.currency);
  if (type === 'VIEWED') return happens.viewedText;
  if (type === 'THANKED') return gift.thanks && <span className="letter">{gift.thanks}</span>;
  if (type === 'REISSUED') return happens.reissuedText(text('was'));
  if (type === 'CANCELLED') return happens.cancelledText;
  if (type === 'EXTENDED') {
    const until = text('expiresAt');
    return happens.extendedText(until && formats.date(until));
  }
  if (type === 'DEFERRED') {
    const next = text('nextAt');
    return next && happens.nextTry(formats.moment(next));
  }
  return type === 'DELIVERY_FAILED' || type === 'THANKS_FAILED' ? whyOf(text('status'), whyFailed) : null;
}

function isSpending({ type }: TimelineEntry): boolean {
  return type === 'REDEEMED' || type === 'REVERSED';
}

/** How much, how it was spent, and which till took it. */
function spentText(
  { currency }: GiftDetails,
  { type, detail }: TimelineEntry,
  { happens }: GiftWords,
  kinds: Words['spending']['kinds'],
  { money }: Formats,
): string {
  const { amount, kind, by } = detail as { amount?: number; kind?: keyof typeof kinds; by?: unknown };
  const till = type === 'REDEEMED' && by ? actorOf(by, happens) : null;
  const said = [amount === undefined ? null : money(amount, currency), kind && kinds[kind], till];
  // A till is often named as the option that it belongs to.
  return [...new Set(said)].filter(Boolean).join(', ');
}

/** The meaning of an enhanced status code (RFC 3463), in plain words. */
export function whyOf(status: string | null, why: GiftWords['whyFailed']): string {
  if (status?.startsWith('4.')) return why.gaveUp;
  if (/^5\.1\./.test(status ?? '')) return why.unknownAddress;
  return status === '5.2.2' ? why.full : why.refused;
}
