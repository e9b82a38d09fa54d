import { setTimeout as sleep } from 'node:timers/promises';
import type { GiftSettings } from '../../../company/workspaces/gift-settings.ts';
import type { GiftState } from '../../gifts/gift.ts';
import type { MailKind } from '../compose/compose.ts';
import { addressMail, type Letterhead, type MailCompany, mailName } from '../compose/message.ts';
import { messageIdOf } from '../compose/message-id.ts';
import type { DueMail } from './claim.ts';
import type { Lease } from './lease.ts';
import { answerOf, type MailOutcome } from './outcome.ts';
import type { ResultWriter } from './result-writer.ts';
import type { Rush } from './rush.ts';
import { type Connection, type MailTransport, maxConnections, type OutgoingMail } from './transport.ts';

export interface Sending {
  letterhead: Letterhead;
  /** Null: emails stay in the outbox. */
  transport: MailTransport | null;
  /** While it is on, one email after the other is handed over, with rests. */
  rush: Rush;
  /** Aborted when the service stops: no further mail is handed over. */
  signal: AbortSignal;
  onProblem: (error: unknown) => void;
}

interface Turn {
  lease: Lease;
  company: MailCompany;
  writer: ResultWriter;
}

/** After this time a turn hands over no further emails, so that a slow server's answers are written down and others get their turn. */
const turnMs = 5_000;

/** How long each connection rests in a rush: the first one after each email, the others until it is over. */
const restMs = 50;

/** The states in which a gift's mail may go out. */
const statesFor: Record<MailKind, readonly GiftState[]> = {
  GIFT: ['ISSUED', 'CLAIMED', 'PARTLY_REDEEMED', 'REDEEMED'],
  REMINDER: ['ISSUED'],
  CODE: ['ISSUED'],
  THANKS: ['CLAIMED', 'PARTLY_REDEEMED', 'REDEEMED'],
  DECISION: ['CLAIMED', 'PARTLY_REDEEMED', 'REDEEMED'],
};

/**
 * Hands emails over, several at a time, and passes the results on. Stops early at the first sign that the server cannot be used, and
 * returns its answer. `handed` counts those that were tried.
 */
export async function handOver(sending: Sending, turn: Turn, mails: readonly DueMail[]) {
  const began = performance.now();
  let [handed, unreachable]: [number, string | null] = [0, null];
  const mayGoOn = () =>
    unreachable === null && !sending.signal.aborted && turn.lease.isSafe() && performance.now() - began < turnMs;
  const hand = async (mail: DueMail, connection: Connection | null) => {
    // Other turns use the same connections, so the wait for one may have been long.
    if (!mayGoOn()) return;
    const withdrawn = withdrawal(mail, turn.company.settings, performance.now() - began);
    const outcome = withdrawn ?? (await handOne(sending, turn, mail, connection));
    if (!withdrawn) handed++;
    if (outcome.is === 'unreachable') unreachable ??= outcome.answer;
    if (outcome.is !== 'unreachable' || !sending.signal.aborted)
      turn.writer.add({
        mail,
        messageId: messageIdFor(sending.letterhead, mail),
        outcome,
        waitedSeconds: (+mail.readAt - +mail.dueAt + performance.now() - began) / 1_000,
      });
  };
  await overConnections(sending, mails, mayGoOn, hand);
  return { handed, unreachable };
}

/** Hands each email over on the next free connection, null in the outbox, as long as `mayGoOn`. In a rush one follows the other, with rests. */
export async function overConnections<Mail>(
  { transport, rush }: Pick<Sending, 'transport' | 'rush'>,
  mails: readonly Mail[],
  mayGoOn: () => boolean,
  hand: (mail: Mail, connection: Connection | null) => Promise<void>,
): Promise<void> {
  let taken = 0;
  const handInTurn = async (nth: number) => {
    while (taken < mails.length && mayGoOn()) {
      if (rush.isOn()) await sleep(restMs);
      if (rush.isOn() && nth > 0) continue;
      const mail = mails[taken++];
      if (!mail) return;
      await (transport?.use((connection) => hand(mail, connection)) ?? hand(mail, null));
    }
  };
  await Promise.all(Array.from({ length: maxConnections }, (_, nth) => handInTurn(nth)));
}

/**
 * Why an email is not handed over; null where nothing is against it. Since it was queued the gift may have expired, its code may have
 * ended, and the workspace may have switched emails or reminders off.
 */
function withdrawal(mail: DueMail, settings: GiftSettings, elapsedMs: number) {
  const { kind, gift, edition, isQuiet, address, codeEndsAt, readAt } = mail;
  const isOver = (end: Date | null) => end !== null && +end <= +readAt + elapsedMs;
  const isLate = (gift.state === 'ISSUED' && isOver(gift.expiresAt)) || isOver(codeEndsAt);
  const { mailsGifts, reminderDays, reminderDaysBeforeExpiry } = settings;
  const hasReminders = reminderDays.length > 0 || reminderDaysBeforeExpiry !== null;
  const isUnwanted =
    (kind === 'REMINDER' && (isQuiet || !hasReminders)) || (!mailsGifts && (kind === 'GIFT' || kind === 'REMINDER'));
  if (isLate || isUnwanted || edition !== gift.edition || !statesFor[kind].includes(gift.state))
    return { is: 'withdrawn' } as const;
  return address === null ? ({ is: 'without address' } as const) : null;
}

/** Without a connection the email stays in the outbox. */
async function handOne(
  { letterhead, onProblem }: Sending,
  { company }: Turn,
  mail: DueMail,
  connection: Connection | null,
): Promise<MailOutcome> {
  let outgoing: OutgoingMail;
  try {
    outgoing = addressMail(letterhead, { ...mail, company }, mail.address as string);
  } catch (error) {
    // One email that cannot be written must not keep the others back.
    onProblem(error);
    return { is: 'later', answer: answerOf(`the email could not be written: ${error}`), status: 'UNKNOWN' };
  }
  return connection ? connection.send(outgoing) : { is: 'sent', answer: 'kept in the outbox' };
}

function messageIdFor({ keys, from }: Letterhead, mail: DueMail): string {
  return messageIdOf(mailName(keys, mail), from);
}
