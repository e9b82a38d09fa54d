import { inWorkspace } from '../../../company/workspaces/lock.ts';
import type { Database } from '../../../ground/database/database.ts';
import type { Letterhead, MailCompany } from '../compose/message.ts';
import type { Lease } from '../send/lease.ts';
import { answerOf, type MailOutcome } from '../send/outcome.ts';
import { type Pace, returnPermits, takePermits } from '../send/pace.ts';
import type { WrittenMail } from '../send/results.ts';
import type { MailTransport } from '../send/transport.ts';
import { type DueApprovalMail, readDueApprovalMails, saveApprovalMail } from './due.ts';
import { readMatter } from './matter.ts';
import { addressApprovalMail } from './message.ts';

export interface ApprovalSending {
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

/** The most emails in one turn of a workspace. Its gifts wait for them. */
const batchSize = 20;

/**
 * Sends the emails about approvals that are due, one after the other, in the turn of their workspace. Stops at the first sign that the mail
 * server cannot be used, and returns its answer.
 */
export async function sendApprovalMails(sending: ApprovalSending, turn: Turn) {
  const { database, pace, signal } = sending;
  const size = turn.isProbe ? 1 : Math.min(batchSize, pace?.most ?? batchSize);
  const mails = await readDueApprovalMails(database, turn.workspaceId, size);
  const granted = await takePermits(database, pace, mails.length);
  let [handed, unreachable]: [number, string | null] = [0, null];
  for (const mail of mails.slice(0, granted)) {
    if (unreachable !== null || signal.aborted || !turn.lease.isSafe()) break;
    const outcome = await handOne(sending, turn, mail);
    if (outcome.is !== 'withdrawn') handed++;
    if (outcome.is === 'unreachable') unreachable = outcome.answer;
    await inWorkspace(database, turn.workspaceId, (tx, moment) => saveApprovalMail(tx, moment, mail, outcome));
    sending.onWritten([{ mail, outcome, waitedSeconds: mail.waitedSeconds }]);
  }
  await returnPermits(database, pace, granted - handed);
  return { handed, unreachable };
}

/** An email about orders that were decided meanwhile, or to a person who is no longer asked, is not sent. */
async function handOne(sending: ApprovalSending, { company }: Turn, mail: DueApprovalMail): Promise<MailOutcome> {
  const { database, letterhead, transport, onProblem } = sending;
  try {
    const { open, decided } = await readMatter(database, mail);
    const matter = mail.kind === 'ASKED' ? open : decided;
    // The outbox would show an approver's link to other people.
    if (!matter || !mail.isAddressCurrent || transport === null) return { is: 'withdrawn' };
    const outgoing = addressApprovalMail(letterhead, company, mail, matter);
    return await transport.use((connection) => connection.send(outgoing));
  } catch (error) {
    // One email that cannot be written must not keep the others back.
    onProblem(error);
    return { is: 'later', answer: answerOf(`the email could not be written: ${error}`), status: 'UNKNOWN' };
  }
}
