import { theService } from '../../company/workspaces/audit.ts';
import { recordAt } from '../../company/workspaces/replayed.ts';
import { settleOrders } from '../../giving/budgets/settle.ts';
import type { GiftTokenKeys } from '../../giving/gifts/token-keys.ts';
import { fulfilOrders } from '../../giving/orders/fulfil.ts';
import { type PastOrder, storePastOrders } from '../../giving/orders/past.ts';
import { writeDecisions } from '../../giving/recognition/decide.ts';
import { addReason } from '../../giving/recognition/reasons.ts';
import { type NewShoutout, recordShoutouts } from '../../giving/recognition/shoutouts.ts';
import type { Actor } from '../../ground/contract/actor.ts';
import type { Queryable } from '../../ground/database/database.ts';
import type { DemoOrder, DemoShoutout } from './history.ts';
import type { DemoPerson } from './people.ts';
import { demoReasons } from './words.ts';

/** Where a history happens. The workspace is locked. */
export interface Stage {
  tx: Queryable;
  keys: GiftTokenKeys;
  workspaceId: number;
  /** The token that everything is sent with, and the member that it acts as. */
  tokenId: number;
  actsAs: number;
  senderName: string;
  /** The user who decides about requests and closes payroll exports. */
  peopleTeam: Actor;
  people: readonly DemoPerson[];
  /** The ids of the people, in their order. */
  memberIds: readonly number[];
}

/** Repeats a history, oldest entry first, with the functions that write it in the service. Each entry has its own moment. */
export async function replay(stage: Stage, history: readonly (DemoOrder | DemoShoutout)[]): Promise<void> {
  const reasons = await addReasons(stage);
  const given = new Map<DemoShoutout, number>();
  for (const entries of runsOf(history)) {
    recordAt(stage.tx, entries.at(-1)?.at as Date);
    await sendOrders(
      stage,
      entries.filter((entry) => entry.kind === 'order'),
    );
    const shoutouts = entries.filter((entry) => entry.kind === 'shoutout');
    const numbers = await giveShoutouts(stage, reasons, shoutouts);
    for (const [nth, shoutout] of shoutouts.entries()) given.set(shoutout, numbers[nth] as number);
  }
  await decideShoutouts(stage, given);
}

/** Entries of one kind that follow each other are written together. */
function runsOf(history: readonly (DemoOrder | DemoShoutout)[]): (DemoOrder | DemoShoutout)[][] {
  const runs: (DemoOrder | DemoShoutout)[][] = [];
  for (const entry of history) {
    const run = runs.at(-1);
    if (run?.[0]?.kind === entry.kind) run.push(entry);
    else runs.push([entry]);
  }
  return runs;
}

async function addReasons({ tx, workspaceId }: Stage): Promise<Map<string, number>> {
  const ids = new Map<string, number>();
  for (const description of demoReasons)
    ids.set(description, (await addReason(tx, theService, workspaceId, { description })).id);
  return ids;
}

async function sendOrders(stage: Stage, orders: readonly DemoOrder[]): Promise<void> {
  if (orders.length === 0) return;
  await storePastOrders(
    stage.tx,
    orders.map((order) => pastOrder(stage, order)),
  );
  const due = orders.map(({ at, requestId, gifts }) => ({ requestId, gifts: gifts.length, moment: at.toISOString() }));
  const completed = await fulfilOrders(stage.tx, stage.keys, stage.workspaceId, due);
  await settleOrders(stage.tx, stage.workspaceId, due.at(-1)?.moment as string, { completed, failed: [] });
}

/** An order of the history as the service stores it. */
export function pastOrder({ workspaceId, tokenId, actsAs, senderName, people }: Stage, order: DemoOrder): PastOrder {
  const { at, requestId, currency, gifts } = order;
  const orderItems = gifts.map(({ receiver, amount, message }) => ({
    message,
    amount,
    recipient: { employeeNumber: people[receiver]?.employeeNumber as string },
  }));
  return {
    workspaceId,
    requestId,
    tokenId,
    senderId: actsAs,
    senderName,
    language: 'EN_CA',
    acceptedAt: at,
    order: { currency, orderItems },
  };
}

/** Gives shoutouts, which then wait for approval, and returns their numbers. */
async function giveShoutouts(
  { tx, workspaceId, tokenId, people, memberIds }: Stage,
  reasons: ReadonlyMap<string, number>,
  shoutouts: readonly DemoShoutout[],
): Promise<number[]> {
  if (shoutouts.length === 0) return [];
  const rows = shoutouts.map(
    ({ at, sender, receiver, reason, text, isPrivate }): NewShoutout => ({
      tokenId,
      idempotencyKey: null,
      senderId: memberIds[sender] as number,
      receiverId: memberIds[receiver] as number,
      status: 'PENDING',
      moment: at.toISOString(),
      shoutout: {
        message: text,
        isPrivate,
        reasonId: reasons.get(reason) as number,
        recipient: { email: people[receiver]?.email as string },
        sender: { email: people[sender]?.email as string },
      },
    }),
  );
  const given = await recordShoutouts(tx, workspaceId, rows);
  return given.map(({ number }) => number);
}

const hourMs = 3_600_000;

/** Decides the shoutouts that do not wait any longer, each an hour after it was given. */
async function decideShoutouts(
  { tx, workspaceId, actsAs }: Stage,
  given: ReadonlyMap<DemoShoutout, number>,
): Promise<void> {
  for (const decision of ['APPROVED', 'DECLINED'] as const) {
    const decided = [...given].filter(([{ status }]) => status === decision);
    const decisions = decided.map(([{ at }, number]) => ({
      number,
      moment: new Date(Math.min(at.getTime() + hourMs, Date.now())).toISOString(),
    }));
    await writeDecisions(tx, workspaceId, decisions, { decision, decidedBy: actsAs, reason: null });
  }
}
