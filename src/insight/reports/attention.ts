import { readLastDayOfOwners } from '../../company/directory/owners.ts';
import { countFailing } from '../../company/events/webhooks/attention.ts';
import { countFailed } from '../../giving/approvals/attention.ts';
import { countNotDone } from '../../giving/automations/attention.ts';
import { countLowBudgets } from '../../giving/budgets/attention.ts';
import { countUndelivered } from '../../giving/delivery/attention.ts';
import { countExpiring } from '../../giving/gifts/attention.ts';
import { countWaiting } from '../../giving/recognition/attention.ts';
import type { Attention } from '../../ground/contract/overview.ts';
import type { Queryable } from '../../ground/database/database.ts';
import { countLowStocks } from '../../spending/code-pools/attention.ts';
import { countOpenRequests } from '../../spending/redemptions/attention.ts';
import { countProblems } from '../books/outcomes.ts';
import type { Reader } from './span.ts';

/** An exact count of more work helps no reader, and counting has an end. */
const mostCounted = 1_000;

/** Managers see no count of what others have to do. */
const ofOthers = {
  waitingShoutouts: 0,
  oldestWaiting: null,
  failedOrders: 0,
  notDoneOccurrences: 0,
  lowBudgets: 0,
  exhaustedBudgets: 0,
  openRequests: 0,
  lowStocks: 0,
  failingWebhooks: 0,
  ledgerProblems: 0,
  lastOwnerLeavesOn: null,
};

/**
 * What a user should look at now: each module says what needs attention in it. A manager sees the gifts of their own reports only. Each
 * count reads an index that has only such rows, and ends at 1,000. One statement after the other, so that a page takes one connection.
 */
export async function readAttention(on: Queryable, reader: Reader): Promise<Attention> {
  const { workspaceId, onlyReportsOf } = reader;
  const gifts = {
    ...(await countUndelivered(on, workspaceId, onlyReportsOf, mostCounted)),
    ...(await countExpiring(on, workspaceId, onlyReportsOf, mostCounted)),
  };
  if (onlyReportsOf !== null) return { ...gifts, ...ofOthers };
  return {
    ...gifts,
    ...(await countWaiting(on, reader, mostCounted)),
    failedOrders: await countFailed(on, workspaceId, mostCounted),
    notDoneOccurrences: await countNotDone(on, workspaceId, mostCounted),
    ...(await countLowBudgets(on, workspaceId, mostCounted)),
    openRequests: await countOpenRequests(on, workspaceId, mostCounted),
    lowStocks: await countLowStocks(on, workspaceId),
    failingWebhooks: await countFailing(on, workspaceId),
    ledgerProblems: await countProblems(on, workspaceId),
    lastOwnerLeavesOn: await readLastDayOfOwners(on, workspaceId),
  };
}
