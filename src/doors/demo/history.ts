import { makeRequestId } from '../../giving/orders/request-id.ts';
import type { DemoPerson } from './people.ts';
import { createRandom, pick, type Random } from './random.ts';
import { demoGiftMessages, demoReasons, demoThanks } from './words.ts';

export interface DemoGift {
  receiver: number;
  amount: number;
  message: string;
}

export interface DemoOrder {
  kind: 'order';
  at: Date;
  requestId: string;
  currency: string;
  gifts: DemoGift[];
}

export interface DemoShoutout {
  kind: 'shoutout';
  at: Date;
  sender: number;
  receiver: number;
  reason: string;
  text: string;
  isPrivate: boolean;
  status: 'PENDING' | 'APPROVED' | 'DECLINED';
}

const dayMs = 86_400_000;
const hourMs = 3_600_000;
const yearDays = 365;
const waitingShoutouts = 5;
/** How often people of a department are thanked, beside the others. One is forgotten, for the reports to show. */
const warmth: Record<string, number> = { Finance: 0.3, 'Customer Care': 1.2, Sales: 0.8 };

/**
 * A year that ends now, the oldest first: more from month to month, less in summer. About a fifth of the people never receive
 * anything.
 */
export function demoHistory(people: readonly DemoPerson[], now: number): (DemoOrder | DemoShoutout)[] {
  const random = createRandom(20);
  const receivers = likelyReceivers(people);
  const history: (DemoOrder | DemoShoutout)[] = [];
  for (let daysAgo = yearDays; daysAgo >= 0; daysAgo--) {
    const isQuiet = [0, 6].includes(new Date(now - daysAgo * dayMs).getUTCDay());
    const busy = (isQuiet ? 0.1 : 1) * seasonOf(new Date(now - daysAgo * dayMs)) * (1.6 - daysAgo / yearDays);
    const moment = () => new Date(now - daysAgo * dayMs - Math.floor(random() * 8 * hourMs) - 60_000);
    for (let left = 1.3 * busy; random() < left; left--)
      history.push(shoutoutAt(random, moment(), people.length, receivers));
    if (random() < 0.35 * busy) history.push(orderAt(random, moment(), receivers));
  }
  history.push(...firstThanks(random, now, people.length, receivers));
  history.sort((one, other) => one.at.getTime() - other.at.getTime());
  leaveWaiting(history);
  return history;
}

/** The newest shoutouts wait for approval. There are as many on every day on which the demo may start. */
function leaveWaiting(history: readonly (DemoOrder | DemoShoutout)[]): void {
  const shoutouts = history.filter((one) => one.kind === 'shoutout');
  for (const shoutout of shoutouts.slice(-waitingShoutouts)) shoutout.status = 'PENDING';
}

/** Each of them is thanked once, more than four months ago: who was never recognized does not depend on the day of the start. */
function firstThanks(random: Random, now: number, people: number, receivers: readonly number[]): DemoShoutout[] {
  return [...new Set(receivers)].map((receiver, nth) => {
    const daysAgo = 125 + ((nth * 37) % 230);
    const at = new Date(now - daysAgo * dayMs - nth * 60_000);
    const thanks = shoutoutAt(random, at, people, [receiver]);
    return {
      ...thanks,
      sender: thanks.sender === receiver ? (receiver + 1) % people : thanks.sender,
      status: 'APPROVED',
    };
  });
}

/** Each person as often as their department is recognized, without those who receive nothing. */
function likelyReceivers(people: readonly DemoPerson[]): number[] {
  return people.flatMap(({ department }, index) =>
    // Each fifth, and not the same first names in every twenty.
    (index * 2 + Math.floor(index / 20)) % 5 === 4
      ? []
      : Array.from({ length: Math.round((warmth[department] ?? 1) * 10) }, () => index),
  );
}

function seasonOf(day: Date): number {
  return [6, 7].includes(day.getUTCMonth()) ? 0.6 : 1;
}

function orderAt(random: Random, at: Date, receivers: readonly number[]): DemoOrder {
  const gifts = Array.from({ length: 1 + Math.floor(random() * 3) }, () => ({
    receiver: pick(random, receivers),
    amount: pick(random, [25, 50, 75, 75.5, 100, 150]),
    message: pick(random, demoGiftMessages),
  }));
  const currency = random() < 0.15 ? 'USD' : 'CAD';
  return { kind: 'order', at, requestId: makeRequestId(at.getTime()), currency, gifts };
}

function shoutoutAt(random: Random, at: Date, people: number, receivers: readonly number[]): DemoShoutout {
  const sender = Math.floor(random() * people);
  const others = receivers.filter((index) => index !== sender);
  const receiver = pick(random, others.length > 0 ? others : receivers);
  return {
    kind: 'shoutout',
    at,
    sender,
    receiver,
    reason: pick(random, demoReasons),
    text: pick(random, demoThanks),
    isPrivate: random() < 0.08,
    status: random() < 0.03 ? 'DECLINED' : 'APPROVED',
  };
}
