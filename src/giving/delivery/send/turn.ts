import { inWorkspace } from '../../../company/workspaces/lock.ts';
import type { Database } from '../../../ground/database/database.ts';
import { approvalMails } from '../approvals/send.ts';
import { type MailCompany, readMailCompany } from '../compose/message.ts';
import { sendDigests } from '../digests/send.ts';
import { managerMails } from '../managers/send.ts';
import { type ClaimedQueue, type DueMail, readBatch, releaseQueue, takeBatch } from './claim.ts';
import { handOver, type Sending } from './hand-over.ts';
import { Lease } from './lease.ts';
import { beginProbe, endProbe, noteFailure, type Pace, returnPermits, takePermits } from './pace.ts';
import { sendPersonalMails } from './personal.ts';
import { ResultWriter } from './result-writer.ts';
import type { WrittenMail } from './results.ts';

export interface TurnOptions extends Sending {
  database: Database;
  /** Names this sender in the leases. */
  owner: string;
  pace: Pace | null;
  onWritten: (results: readonly WrittenMail[]) => void;
  /** The mail server failed. All senders pause until then. */
  onUnreachable: (answer: string, resumeAt: Date) => void;
  onProblem: (error: unknown) => void;
}

/** The most emails of a workspace that are read together. */
const batchSize = 500;

/**
 * Sends some emails of a workspace and gives it back. No transaction is open while emails are handed over. `onHandedOver` is called when
 * the results have yet to be written: that may take long if another writer has the workspace's lock.
 */
export async function takeTurn(options: TurnOptions, queue: ClaimedQueue, onHandedOver: () => void): Promise<void> {
  const { database, owner } = options;
  const { workspaceId } = queue;
  const lease = new Lease(database, owner, workspaceId);
  try {
    const company = await readMailCompany(database, workspaceId);
    const writer = new ResultWriter({ ...options, workspaceId, settings: company.settings });
    const isProbe = queue.isFailing && (await beginProbe(database));
    try {
      if (!queue.isFailing || isProbe) await sendBatch(options, { workspaceId, isProbe, lease, company, writer });
    } finally {
      onHandedOver();
      await writer.finish();
    }
  } catch (error) {
    // So that others need not wait until the lease ends.
    await inWorkspace(database, workspaceId, (tx) => releaseQueue(tx, owner, workspaceId)).catch(() => {});
    throw error;
  } finally {
    lease.stop();
  }
}

interface Turn {
  workspaceId: number;
  /** Whether one email is to show that the mail server works again. */
  isProbe: boolean;
  lease: Lease;
  company: MailCompany;
  writer: ResultWriter;
}

async function sendBatch(options: TurnOptions, turn: Turn): Promise<void> {
  const { database } = options;
  let [handed, unreachable]: [number, string | null] = [0, null];
  for (const send of [
    () => sendPersonalMails(options, turn, approvalMails),
    () => sendPersonalMails(options, turn, managerMails),
    () => sendGiftMails(options, turn),
    () => sendDigests(options, turn),
  ]) {
    const sent = await send();
    handed += sent.handed;
    unreachable = sent.unreachable;
    if (unreachable !== null || (turn.isProbe && handed > 0)) break;
  }
  if (unreachable !== null) {
    const resumeAt = options.signal.aborted ? null : await noteFailure(database, turn.isProbe);
    if (resumeAt) options.onUnreachable(unreachable, resumeAt);
  } else if (turn.isProbe) await endProbe(database, handed > 0);
}

async function sendGiftMails(options: TurnOptions, turn: Turn) {
  const { database, pace } = options;
  const mails = await readNext(options, turn);
  const granted = await takePermits(database, pace, mails.length);
  const sent = await handOver(options, turn, mails.slice(0, granted));
  await returnPermits(database, pace, granted - sent.handed);
  return sent;
}

async function readNext({ database, owner, pace }: TurnOptions, { workspaceId, isProbe }: Turn): Promise<DueMail[]> {
  const size = isProbe ? 1 : Math.min(batchSize, pace?.most ?? batchSize);
  const giftIds = await takeBatch(database, owner, workspaceId, size);
  return giftIds === null || giftIds.length === 0 ? [] : readBatch(database, workspaceId, giftIds, size);
}
