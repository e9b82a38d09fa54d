import { inWorkspace } from '../../../company/workspaces/lock.ts';
import type { Database, Queryable } from '../../../ground/database/database.ts';
import type { Letterhead, MailCompany } from '../compose/message.ts';
import type { Lease } from './lease.ts';
import { answerOf, type MailOutcome } from './outcome.ts';
import { type Pace, returnPermits, takePermits } from './pace.ts';
import type { WrittenMail } from './results.ts';
import { pauseAfter } from './schedule.ts';
import type { MailTransport, OutgoingMail } from './transport.ts';

/** Emails to approvers, senders and managers: they are about no single gift, and their links are good for one person. */
export interface PersonalMails<Mail extends DuePersonalMail> {
  /** The emails of a workspace that are due, the earliest first. */
  readDue(on: Queryable, workspaceId: number, most: number): Promise<Mail[]>;
  /** What the email says now; null: it has nothing to say any longer, and is not sent. */
  write(on: Queryable, letterhead: Letterhead, company: MailCompany, mail: Mail): Promise<OutgoingMail | null>;
  /** The caller holds the workspace's lock. */
  save(tx: Queryable, moment: string, mail: Mail, record: MailRecord): Promise<void>;
}

export interface DuePersonalMail {
  attempts: number;
  /** Until it was read. */
  waitedSeconds: number;
}

/** What is stored of an attempt. */
export interface MailRecord {
  state: 'QUEUED' | 'DEFERRED' | 'SENT' | 'FAILED' | 'CANCELLED';
  attempts: number;
  /** Until the next attempt. */
  pauseMs: number;
}

interface PersonalSending {
  database: Database;
  letterhead: Letterhead;
  /** Null: no email is sent. */
  transport: MailTransport | null;
  pace: Pace | null;
  signal: AbortSignal;
  onWritten: (results: readonly WrittenMail[]) => void;
  onProblem: (error: unknown) => void;
}

interface Turn {
  workspaceId: number;
  /** Whether one email is to show that the mail server works again. */
  isProbe: boolean;
  lease: Lease;
  company: MailCompany;
}

/** The most emails of a kind in one turn of a workspace. Its gifts wait for them. */
const batchSize = 20;
/** How long an email waits at least after the mail server could not be used for it. */
const unreachableMs = 5_000;

/**
 * Sends the emails that are due, one after the other, in the turn of their workspace. Stops at the first sign that the mail server cannot be
 * used, and returns its answer.
 */
export async function sendPersonalMails<Mail extends DuePersonalMail>(
  sending: PersonalSending,
  turn: Turn,
  kind: PersonalMails<Mail>,
) {
  const { database, pace, signal } = sending;
  const size = turn.isProbe ? 1 : Math.min(batchSize, pace?.most ?? batchSize);
  const mails = await kind.readDue(database, turn.workspaceId, size);
  const granted = await takePermits(database, pace, mails.length);
  let [handed, unreachable]: [number, string | null] = [0, null];
  for (const mail of mails.slice(0, granted)) {
    if (unreachable !== null || signal.aborted || !turn.lease.isSafe()) break;
    const outcome = await handOne(sending, turn, kind, mail);
    if (outcome.is !== 'withdrawn') handed++;
    if (outcome.is === 'unreachable') unreachable = outcome.answer;
    const record = recordOf(mail.attempts, outcome);
    await inWorkspace(database, turn.workspaceId, (tx, moment) => kind.save(tx, moment, mail, record));
    sending.onWritten([{ mail, outcome, waitedSeconds: mail.waitedSeconds }]);
  }
  await returnPermits(database, pace, granted - handed);
  return { handed, unreachable };
}

async function handOne<Mail extends DuePersonalMail>(
  { database, letterhead, transport, onProblem }: PersonalSending,
  { company }: Turn,
  kind: PersonalMails<Mail>,
  mail: Mail,
): Promise<MailOutcome> {
  try {
    const outgoing = await kind.write(database, letterhead, company, mail);
    // The outbox would show a person's link to other people.
    if (outgoing === null || transport === null) return { is: 'withdrawn' };
    return await transport.use((connection) => connection.send(outgoing));
  } catch (error) {
    // One email that cannot be written must not keep the others back.
    onProblem(error);
    return { is: 'later', answer: answerOf(`the email could not be written: ${error}`), status: 'UNKNOWN' };
  }
}

/** What is stored of an outcome; `before` counts the attempts that failed earlier. */
export function recordOf(before: number, outcome: MailOutcome): MailRecord {
  if (outcome.is === 'sent') return { state: 'SENT', attempts: before, pauseMs: 0 };
  if (outcome.is === 'withdrawn' || outcome.is === 'without address')
    return { state: 'CANCELLED', attempts: before, pauseMs: 0 };
  if (outcome.is === 'unreachable')
    return { state: before > 0 ? 'DEFERRED' : 'QUEUED', attempts: before, pauseMs: unreachableMs };
  const attempts = before + 1;
  const pauseMs = outcome.is === 'later' ? pauseAfter(attempts) : null;
  return { state: pauseMs === null ? 'FAILED' : 'DEFERRED', attempts, pauseMs: pauseMs ?? 0 };
}
