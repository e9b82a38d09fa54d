import { theService } from '../../company/workspaces/audit.ts';
import { addBudget } from '../../giving/budgets/manage.ts';
import { reserveOrders } from '../../giving/budgets/reserve.ts';
import { settleOrders } from '../../giving/budgets/settle.ts';
import { queueGiftMails } from '../../giving/delivery/queue.ts';
import { fulfilOrders } from '../../giving/orders/fulfil.ts';
import { storePastOrders } from '../../giving/orders/past.ts';
import { makeRequestId } from '../../giving/orders/request-id.ts';
import type { DemoPerson } from './people.ts';
import { pastOrder, type Stage } from './replay.ts';
import { nameOf } from './users.ts';

const ofManager = { currency: 'CAD', allowance: { amount: 600, every: 'MONTH' as const }, giftLimit: 150 };
const team = 7;

/**
 * The head of customer care has a budget that is nearly used: 75 of 600 are left. The workspace has none, so that no user who tries
 * things out is refused.
 */
export async function addBudgets(stage: Stage, now: number): Promise<void> {
  const { tx, workspaceId, people, memberIds } = stage;
  const head = people.findIndex(({ department }) => department === 'Customer Care');
  const memberId = memberIds[head] as number;
  await addBudget(tx, theService, workspaceId, { ...ofManager, memberId });
  await thankTeam({ ...stage, actsAs: memberId, senderName: nameOf(people[head] as DemoPerson) }, head, now);
}

async function thankTeam(stage: Stage, head: number, now: number): Promise<void> {
  const { tx, keys, workspaceId } = stage;
  const at = new Date(now - 5_000);
  const message = 'Nobody waited longer than a minute this week. I know what that took.';
  const gifts = Array.from({ length: team }, (_, nth) => ({ receiver: head + 1 + nth, amount: 75, message }));
  const requestId = makeRequestId(at.getTime());
  const order = pastOrder(stage, { kind: 'order', at, requestId, currency: 'CAD', gifts });
  await storePastOrders(tx, [order]);
  await reserveOrders(tx, [order]);
  const moment = at.toISOString();
  const completed = await fulfilOrders(tx, keys, workspaceId, [{ requestId, gifts: team, moment }]);
  await settleOrders(tx, workspaceId, moment, { completed, failed: [] });
  await queueGiftMails(tx, workspaceId, moment, [requestId]);
}
