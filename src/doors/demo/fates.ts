import { addMembers } from '../../company/directory/save.ts';
import { settleOrders } from '../../giving/budgets/settle.ts';
import { type PastMail, storePastMails } from '../../giving/delivery/past.ts';
import { queueGiftMails } from '../../giving/delivery/queue.ts';
import { type PastGift, storePastGifts } from '../../giving/gifts/past.ts';
import { fulfilOrders } from '../../giving/orders/fulfil.ts';
import { storePastOrders } from '../../giving/orders/past.ts';
import { makeRequestId } from '../../giving/orders/request-id.ts';

import type { DemoOrder } from './history.ts';
import { createRandom, pick, type Random } from './random.ts';
import { pastOrder, type Stage } from './replay.ts';
import { demoAnswers } from './words.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** The number of days to claim gifts of the history. */
const claimDays = 60;

/** What became of each gift of the history: most were claimed, some have ended, a few emails failed. One gift was cancelled. */
export async function storeFates(stage: Stage, orders: readonly DemoOrder[], now: number): Promise<void> {
  const random = createRandom(7);
  const gifts = orders.flatMap(({ requestId, at, gifts }) =>
    gifts.map(({ receiver }, position) => ({ requestId, position, at, address: stage.people[receiver]?.email ?? '' })),
  );
  const fates = gifts.map((gift, nth) => fateOf(random, { ...gift, by: stage.senderName }, gifts.length - nth, now));
  await storePastGifts(
    stage.tx,
    stage.workspaceId,
    fates.map(({ gift }) => gift),
  );
  await storePastMails(
    stage.tx,
    stage.workspaceId,
    fates.map(({ mail }) => mail),
  );
}

interface Given {
  requestId: string;
  position: number;
  at: Date;
  address: string;
  /** Who cancels, where one is cancelled. */
  by: string;
}

/** `fromLast` is 1 for the newest gift. */
function fateOf(random: Random, { requestId, position, at, address, by }: Given, fromLast: number, now: number) {
  const sentAt = new Date(at.getTime() + 2_000 + random() * 30_000);
  const expiresAt = new Date(Math.ceil((at.getTime() + claimDays * dayMs) / dayMs) * dayMs);
  const gift: PastGift = { requestId, position, state: 'ISSUED', expiresAt, thanks: null, log: [] };
  const hasFailed = [3, 8, 11].includes(fromLast);
  const mail: PastMail = { requestId, position, state: hasFailed ? 'FAILED' : 'SENT', at: sentAt };
  const server = hasFailed
    ? { answer: '550 5.1.1 The email account that you tried to reach does not exist', status: '5.1.1', attempts: 1 }
    : { answer: '250 2.0.0 OK queued' };
  const log: PastGift['log'][number][] = [
    { type: hasFailed ? 'DELIVERY_FAILED' : 'SENT', at: sentAt, detail: { kind: 'GIFT', address, ...server } },
  ];
  const add = (
    type: 'VIEWED' | 'CLAIMED' | 'THANKED' | 'EXPIRED' | 'CANCELLED',
    moment: number,
    detail: Record<string, unknown> = {},
  ) => log.push({ type, at: new Date(moment), detail });
  const claimedAt = sentAt.getTime() + (0.2 + random() ** 3 * 9) * dayMs;
  if (fromLast === 6) {
    add('CANCELLED', sentAt.getTime() + hourMs / 2, { by: { is: 'USER', name: by } });
    return { gift: { ...gift, state: 'CANCELLED' as const, log }, mail };
  }
  if (!hasFailed && random() < 0.86 && claimedAt < now) {
    add('VIEWED', claimedAt - 60_000);
    add('CLAIMED', claimedAt);
    const thanks = random() < 0.3 && claimedAt + hourMs < now ? pick(random, demoAnswers) : null;
    if (thanks) add('THANKED', claimedAt + hourMs / 4);
    return { gift: { ...gift, state: 'CLAIMED' as const, thanks, log }, mail };
  }
  if (expiresAt.getTime() < now) {
    add('EXPIRED', expiresAt.getTime());
    return { gift: { ...gift, state: 'EXPIRED' as const, log }, mail };
  }
  return { gift: { ...gift, log }, mail };
}

/** Two people of the warehouse have no email address, and gifts wait for them. A birthday gift is scheduled. */
export async function addWaitingGifts(stage: Stage, now: number): Promise<void> {
  const { tx, workspaceId, keys, people } = stage;
  const addedAt = new Date(now - 200 * dayMs);
  const warehouse = [
    { firstName: 'Walid', lastName: 'Haddad', employeeNumber: 'W-1' },
    { firstName: 'Wanda', lastName: 'Marín', employeeNumber: 'W-2' },
  ].map((one) => ({ ...one, department: 'Warehouse', location: 'Toronto', addedAt }));
  await addMembers(tx, workspaceId, warehouse);
  const moment = new Date(now - 20_000);
  const order = (recipients: { employeeNumber: string }[], message: string, deliverAt?: string) => ({
    ...pastOrder(stage, {
      kind: 'order',
      at: moment,
      requestId: makeRequestId(moment.getTime()),
      currency: 'CAD',
      gifts: [],
    }),
    order: {
      currency: 'CAD',
      orderItems: recipients.map((recipient) => ({ message, amount: 50, recipient })),
      ...(deliverAt && { deliverAt }),
    },
  });
  const birthday = { employeeNumber: people[12]?.employeeNumber as string };
  const orders = [
    order(warehouse, 'Not one parcel was lost this quarter. Thank you both.'),
    order([birthday], 'Happy birthday from all of us!', new Date(now + 9 * dayMs).toISOString()),
  ];
  await storePastOrders(tx, orders);
  const due = orders.map(({ requestId, order: { orderItems } }) => ({
    requestId,
    gifts: orderItems.length,
    moment: moment.toISOString(),
  }));
  const completed = await fulfilOrders(tx, keys, workspaceId, due);
  await settleOrders(tx, workspaceId, moment.toISOString(), { completed, failed: [] });
  await queueGiftMails(
    tx,
    workspaceId,
    moment.toISOString(),
    orders.map(({ requestId }) => requestId),
  );
}
