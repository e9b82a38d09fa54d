import { findFeedReaders } from '../../../company/access/memberships.ts';
import type { Database } from '../../../ground/database/database.ts';
import type { MailCompany } from '../compose/message.ts';
import { overConnections, type Sending } from '../send/hand-over.ts';
import type { Lease } from '../send/lease.ts';
import { answerOf, type MailOutcome } from '../send/outcome.ts';
import { type Pace, returnPermits, takePermits } from '../send/pace.ts';
import { type MailRecord, recordOf } from '../send/personal.ts';
import type { WrittenMail } from '../send/results.ts';
import type { Connection } from '../send/transport.ts';
import { type Forgotten, readForgotten, readWeeks } from './content.ts';
import {
  cancelDigests,
  type DueDigest,
  digestKey,
  type ReadyDigest,
  readDueDigests,
  saveDigests,
  takeDigests,
} from './due.ts';
import { addressDigest } from './message.ts';

/** So few that emails about gifts, which come first in a turn, wait for a second at most. As many can be lost by a kill. */
const batchSize = 50;

interface DigestSending extends Sending {
  database: Database;
  pace: Pace | null;
  onWritten: (results: readonly WrittenMail[]) => void;
}

interface Turn {
  workspaceId: number;
  /** Whether one email is to show that the mail server works again. */
  isProbe: boolean;
  lease: Lease;
  company: MailCompany;
}

interface Handed {
  mail: ReadyDigest;
  outcome: MailOutcome;
  record: MailRecord;
}

/**
 * Sends the next digests of a workspace, with the same few statements for one or for all of them. They are marked before they are handed over, and a digest whose
 * outcome is unknown stays marked: no reader gets one twice. They go out slowly while orders are in a hurry.
 */
export async function sendDigests(sending: DigestSending, turn: Turn) {
  const { database, pace, transport } = sending;
  const { workspaceId, isProbe } = turn;
  const due = await readDueDigests(database, workspaceId, isProbe ? 1 : Math.min(batchSize, pace?.most ?? batchSize));
  // The outbox would show what is meant for one person to other people.
  const ready = transport === null ? [] : await readReady(database, workspaceId, due);
  const readyKeys = new Set(ready.map(digestKey));
  await cancelDigests(
    database,
    workspaceId,
    due.filter((digest) => !readyKeys.has(digestKey(digest))),
  );
  const granted = await takePermits(database, pace, ready.length);
  const taken = await takeDigests(database, workspaceId, ready.slice(0, granted));
  const results = await handOver(sending, turn, taken);
  const known = results.filter(({ outcome }) => !isUnknown(outcome));
  await saveDigests(database, workspaceId, [...known, ...givenBack(taken, results)]);
  const handed = results.length;
  sending.onWritten(results.map(({ mail, outcome }) => ({ mail, outcome, waitedSeconds: mail.waitedSeconds })));
  await returnPermits(database, pace, granted - handed);
  const down = results.map(({ outcome }) => outcome).find((outcome) => outcome.is === 'unreachable');
  return { handed, unreachable: down?.answer ?? null };
}

/** Whether the mail server may have taken it. */
function isUnknown(outcome: MailOutcome): boolean {
  return outcome.is === 'later' && outcome.status === 'UNKNOWN';
}

function givenBack(taken: readonly ReadyDigest[], results: readonly Handed[]) {
  const tried = new Set(results.map(({ mail }) => mail));
  return taken
    .filter((mail) => !tried.has(mail))
    .map((mail) => ({ mail, record: { state: 'QUEUED', attempts: mail.attempts, pauseMs: 0 } as const }));
}

async function readReady(database: Database, workspaceId: number, due: readonly DueDigest[]): Promise<ReadyDigest[]> {
  const wanted = due.filter(({ isWanted }) => isWanted);
  if (wanted.length === 0) return [];
  const readers = await findFeedReaders(
    database,
    workspaceId,
    wanted.map(({ memberId }) => memberId),
  );
  const ofWeek = wanted.filter(({ kind, memberId }) => kind === 'WEEK' && readers.has(memberId));
  const weeks = await readWeeks(database, workspaceId, ofWeek);
  const ofMonth = Map.groupBy(
    wanted.filter(({ kind }) => kind === 'MONTH'),
    ({ period }) => period,
  );
  const months = new Map<string, Map<number, Forgotten>>();
  for (const [period, some] of ofMonth) {
    const managers = some.map(({ memberId }) => memberId);
    months.set(period, await readForgotten(database, workspaceId, period, managers));
  }
  return wanted.flatMap((mail) => {
    const { kind, memberId, period, address } = mail;
    const week = kind === 'WEEK' ? weeks.get(memberId) : undefined;
    const forgotten = kind === 'MONTH' ? months.get(period)?.get(memberId) : undefined;
    const about = week ? { week } : forgotten && { forgotten };
    return address && about ? [{ ...mail, address, about, hasApp: readers.has(memberId) }] : [];
  });
}

/** Over several connections. Stops at the first sign that the mail server cannot be used. Returns those that were tried. */
async function handOver(sending: DigestSending, turn: Turn, taken: readonly ReadyDigest[]): Promise<Handed[]> {
  const results: Handed[] = [];
  const mayGoOn = () =>
    !sending.signal.aborted && turn.lease.isSafe() && !results.some(({ outcome }) => outcome.is === 'unreachable');
  await overConnections(sending, taken, mayGoOn, async (mail, connection) => {
    // Other turns use the same connections, so the wait for one may have been long.
    if (connection === null || !mayGoOn()) return;
    const outcome = await handOne(sending, turn, mail, connection);
    results.push({ mail, outcome, record: recordOf(mail.attempts, outcome) });
  });
  return results;
}

async function handOne(
  { letterhead, onProblem }: DigestSending,
  { company }: Turn,
  mail: ReadyDigest,
  connection: Connection,
): Promise<MailOutcome> {
  try {
    return await connection.send(addressDigest(letterhead, company, mail));
  } catch (error) {
    // One email that cannot be written must not keep the others back.
    onProblem(error);
    return { is: 'refused', answer: answerOf(`the email could not be written: ${error}`), status: 'UNKNOWN' };
  }
}
