import { inWorkspace } from '../../company/workspaces/lock.ts';
import { OneAtATime } from '../../company/workspaces/one-at-a-time.ts';
import type { Database, Queryable } from '../../ground/database/database.ts';
import type { Gift } from './gift.ts';

/** Long enough for some dozens of tills at once, and short enough to answer within five seconds. */
const longestWaitMs = 4_000;

const turns = new OneAtATime<string>();

/**
 * Runs a transaction about one gift as its workspace's one writer. Of the requests about a gift, one at a time waits for the workspace:
 * a gift that many spend at once does not stall the others.
 */
export function inTurnOfGift<T>(
  database: Database,
  { workspaceId, id }: Pick<Gift, 'workspaceId' | 'id'>,
  work: (tx: Queryable) => Promise<T>,
): Promise<T> {
  return inTurn(database, workspaceId, `gift ${id}`, work);
}

/** The same for a transaction about several gifts of one person. */
export function inTurnOfRecipient<T>(
  database: Database,
  { workspaceId, memberId }: Pick<Gift, 'workspaceId' | 'memberId'>,
  work: (tx: Queryable) => Promise<T>,
): Promise<T> {
  return inTurn(database, workspaceId, `recipient ${memberId}`, work);
}

function inTurn<T>(
  database: Database,
  workspaceId: number,
  subject: string,
  work: (tx: Queryable) => Promise<T>,
): Promise<T> {
  const until = performance.now() + longestWaitMs;
  const leftMs = () => Math.max(0, until - performance.now());
  const write = () => inWorkspace(database, workspaceId, work, leftMs());
  return turns.run(`${workspaceId} ${subject}`, write, longestWaitMs);
}
