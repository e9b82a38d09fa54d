import { v7 as makeRequestId } from 'uuid';

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

export const demoReasons = ['Teamwork', 'Customer first', 'Going the extra mile', 'Great idea'];

const thanks = [
  'Thank you for staying late to get the release out.',
  'The customer asked me to pass on how much you helped.',
  'Happy work anniversary!',
  'Your workshop changed how we plan. Thank you!',
  'You made the new colleagues feel at home from day one.',
  'That was the calmest incident call I have ever been on.',
];

const dayMs = 86_400_000;

/**
 * A year that ends now, the oldest first. Gifts are ordered in the last third of each month, and people thank each other in the
 * other two. About a fifth of the people never receive anything.
 */
export function demoHistory(people: number, now: number): (DemoOrder | DemoShoutout)[] {
  const random = createRandom(20);
  const pick = <T>(from: readonly T[]) => from[Math.floor(random() * from.length)] as T;
  const receivers = [...Array(people).keys()].filter((index) => index % 5 !== 4);
  const history: (DemoOrder | DemoShoutout)[] = [];
  for (let day = 365; day >= 0; day -= 1 + Math.floor(random() * 2)) {
    const at = new Date(now - day * dayMs - Math.floor(random() * 8 * 3_600_000) - 60_000);
    if (at.getUTCDate() > 20) {
      const gifts = Array.from({ length: 1 + Math.floor(random() * 4) }, () => ({
        receiver: pick(receivers),
        amount: pick([10, 25, 50, 75.5, 100]),
        message: pick(thanks),
      }));
      history.push({ kind: 'order', at, requestId: makeRequestId({ msecs: at.getTime() }), currency: 'CAD', gifts });
    } else {
      const sender = Math.floor(random() * people);
      const receiver = pick(receivers.filter((index) => index !== sender));
      history.push({
        kind: 'shoutout',
        at,
        sender,
        receiver,
        reason: pick(demoReasons),
        text: pick(thanks),
        isPrivate: random() < 0.15,
        status: day < 60 && random() < 0.5 ? 'PENDING' : random() < 0.05 ? 'DECLINED' : 'APPROVED',
      });
    }
  }
  return history.sort((one, other) => one.at.getTime() - other.at.getTime());
}

/** A small seeded generator (mulberry32), so that every demo looks the same. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
