import type { GiftSettings } from '../../../company/workspaces/gift-settings.ts';
import { momentOf } from '../../../company/workspaces/lock.ts';
import type { Queryable } from '../../../ground/database/database.ts';
import { type Move, type MoveType, moveGifts } from '../../gifts/moves.ts';
import type { MailKind } from '../compose/compose.ts';
import { type MailState, waitingStates } from '../queue.ts';
import { type Mailed, scheduleReminders } from '../reminders.ts';
import type { DueMail } from './claim.ts';
import type { MailOutcome } from './outcome.ts';
import { pauseAfter } from './schedule.ts';

/** An email, and what became of it. */
export interface Result {
  mail: DueMail;
  messageId: string;
  outcome: MailOutcome;
  /** From the moment at which it was due to its hand-over. */
  waitedSeconds: number;
}

/** What is counted of an email, about a gift or an approval. */
export interface WrittenMail extends Pick<Result, 'outcome' | 'waitedSeconds'> {
  mail: Pick<DueMail, 'attempts'>;
}

interface Recorded extends Result {
  state: MailState;
  attempts: number;
  dueAt: Date | null;
}

/** How long an email waits at least after the server could not be used for it. */
const unreachableMs = 5_000;

const sentMoves: Record<MailKind, MoveType> = {
  GIFT: 'SENT',
  REMINDER: 'REMINDED',
  CODE: 'CODE_SENT',
  THANKS: 'THANKS_SENT',
  DECISION: 'DECISION_SENT',
};

/**
 * Writes down what became of emails of one workspace: their states, what happened to the gifts, and the next reminders. The caller
 * holds the workspace's lock. An email that was withdrawn while it was being sent stays withdrawn, unless it was sent. A result that
 * was written before changes nothing: its writer may not have heard that the transaction was committed.
 */
export async function saveResults(
  tx: Queryable,
  workspaceId: number,
  settings: GiftSettings,
  results: readonly Result[],
): Promise<void> {
  if (results.length === 0) return;
  const moment = momentOf(tx, workspaceId);
  const recorded = results.map((result) => recordOf(result, new Date(moment)));
  const saved = await tx.query<{ nth: number }>(saveSql, [
    workspaceId,
    moment,
    recorded.map(({ mail }) => mail.gift.requestId),
    recorded.map(({ mail }) => mail.gift.position),
    recorded.map(({ mail }) => mail.kind),
    recorded.map(({ mail }) => mail.edition),
    recorded.map(({ mail }) => mail.nth),
    recorded.map(({ state }) => state),
    recorded.map(({ attempts }) => attempts),
    recorded.map(({ dueAt }) => dueAt),
  ]);
  const savedNths = new Set(saved.map(({ nth }) => nth));
  const changed = recorded.filter((_, index) => savedNths.has(index + 1));
  await moveGifts(tx, workspaceId, changed.flatMap(movesOf));
  await scheduleReminders(tx, workspaceId, settings, mailedGifts(changed, new Date(moment)));
}

function recordOf(result: Result, moment: Date): Recorded {
  const { outcome, mail } = result;
  const at = (state: MailState, attempts = mail.attempts, dueAt: Date | null = null) => ({
    ...result,
    state,
    attempts,
    dueAt,
  });
  if (outcome.is === 'sent') return at('SENT');
  if (outcome.is === 'withdrawn') return at('CANCELLED');
  if (outcome.is === 'without address') return at('NO_ADDRESS');
  // Behind the others: it may be this email that the server cannot bear.
  if (outcome.is === 'unreachable')
    return at(mail.attempts > 0 ? 'DEFERRED' : 'QUEUED', mail.attempts, new Date(moment.getTime() + unreachableMs));
  const attempts = mail.attempts + 1;
  const pauseMs = outcome.is === 'later' ? pauseAfter(attempts) : null;
  return pauseMs === null ? at('FAILED', attempts) : at('DEFERRED', attempts, new Date(moment.getTime() + pauseMs));
}

/** An email that was not handed over leaves no entry. The log has what the server answered; events have its status alone. */
function movesOf({ mail, messageId, outcome, state, attempts, dueAt }: Recorded): Move[] {
  if (outcome.is === 'withdrawn' || outcome.is === 'without address' || outcome.is === 'unreachable') return [];
  const { gift, kind, address } = mail;
  const detail = { kind, address, messageId, answer: outcome.answer };
  if (outcome.is === 'sent') return [{ type: sentMoves[kind], gift, detail }];
  if (state === 'DEFERRED') return [{ type: 'DEFERRED', gift, detail: { ...detail, attempts, nextAt: dueAt } }];
  const { status } = outcome;
  if (kind === 'THANKS') return [{ type: 'THANKS_FAILED', gift, detail: { ...detail, attempts, status } }];
  return [{ type: 'DELIVERY_FAILED', gift, detail: { ...detail, attempts, status }, data: { status } }];
}

/**
 * Gifts that can still be claimed and to which an email was sent, each once: the next reminder follows the reminder of a gift whose own email
 * was sent again at the same time.
 */
function mailedGifts(changed: readonly Recorded[], moment: Date): Mailed[] {
  const sent = changed.filter(({ state, mail }) => state === 'SENT' && mail.gift.state === 'ISSUED');
  const mailed = new Map<number, Mailed>();
  for (const { mail } of sent)
    if (mail.kind === 'GIFT') mailed.set(mail.gift.id, { gift: mail.gift, giftSentAt: moment });
  for (const { mail } of sent)
    if (mail.kind === 'REMINDER') mailed.set(mail.gift.id, { gift: mail.gift, giftSentAt: mail.giftSentAt ?? moment });
  return [...mailed.values()];
}

const saveSql = `
  update mails m
     set state    = result.state,
         attempts = result.attempts,
         due_at   = coalesce(result.due_at, $2::timestamptz),
         sent_at  = case when result.state = 'SENT' then $2::timestamptz else m.sent_at end
    from unnest($3::uuid[], $4::int[], $5::text[], $6::int[], $7::int[], $8::text[], $9::int[], $10::timestamptz[])
           with ordinality as result (request_id, position, kind, edition, nth, state, attempts, due_at, ordinality)
   where m.workspace_id = $1
     and m.request_id = result.request_id
     and m.position = result.position
     and m.kind = result.kind
     and m.edition = result.edition
     and m.nth = result.nth
     and (m.state in ${waitingStates} or (m.state = 'CANCELLED' and result.state = 'SENT'))
  returning result.ordinality as nth`;
