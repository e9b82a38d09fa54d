import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Random } from '../support/random.ts';
import type { Client } from './client.ts';
import { identityOf, randomOrder } from './orders.ts';
import type { Rig } from './rig.ts';
import type { Shoutout } from './written.ts';

const lanes = 2;
const pauseMs = 150;
const lastRetriesMs = 30_000;

/** Clients that give shoutouts, repeat each with its key until it is recorded, and approve or decline some. */
export function startPraise(client: Client, random: Random, people: number, rest: number): { stop(): Promise<void> } {
  const name = random.int(0, 0xffffff).toString(36);
  let stopsAt = Number.POSITIVE_INFINITY;
  const isOver = () => client.isClosed || Date.now() > stopsAt;
  const until = async (isDone: () => boolean, step: () => Promise<void>) => {
    while (!isDone() && !isOver()) {
      await step();
      if (!isDone()) await sleep(random.int(50, 250));
    }
  };
  const lane = async (index: number) => {
    for (let nth = 0; stopsAt === Number.POSITIVE_INFINITY && !client.isClosed; nth++) {
      const own = random.fork(`praise ${index} ${nth}`);
      const [gift] = randomOrder(own, { people, maxGifts: 1 }).orderItems;
      const { message, recipient } = gift as Shoutout;
      const praise = client.journal.writePraise(`praise-${name}-${index}-${nth}`, { message, recipient });
      await until(
        () => praise.id !== null,
        () => client.praise(praise),
      );
      const verb = own.pick(['approve', 'approve', 'decline', null] as const);
      if (verb !== null && praise.id !== null)
        await until(
          () => praise.told !== 'PENDING',
          () => client.decide(praise, verb),
        );
      await sleep(own.int(0, pauseMs * rest));
    }
  };
  const work = Array.from({ length: lanes }, (_, index) => lane(index));
  return {
    async stop() {
      stopsAt = Date.now() + lastRetriesMs * client.journal.patience;
      await Promise.all(work);
    },
  };
}

interface Stored {
  key: string;
  id: number;
  body: Shoutout & { isPrivate: boolean };
  status: string;
}

/** Checks that every answered shoutout exists once, as sent, in the answered state. Returns all, and which count. */
export async function comparePraises(
  rig: Rig,
  { journal, workspaceId }: Client,
): Promise<{ identity: string; counts: boolean }[]> {
  const stored = await rig.database.query<Stored>(
    `select s.idempotency_key as key, s.number + s.base as id, s.body, a.status
       from shoutouts s
       join activities a using (workspace_id, number)
      where workspace_id = $1`,
    [workspaceId],
  );
  const byKey = new Map(stored.map((one) => [one.key, one]));
  for (const { key, shoutout, id, asked, told } of journal.praises) {
    const one = byKey.get(key);
    if (id !== null && one?.id !== id) journal.violated(`Shoutout ${id} was answered 201 and is not there.`);
    if (!one) continue;
    if (!isDeepStrictEqual(one.body, { ...shoutout, isPrivate: false }))
      journal.violated(`Shoutout ${one.id} is stored with another body than was sent.`);
    const possible = { approve: ['PENDING', 'APPROVED'], decline: ['PENDING', 'DECLINED'] }[asked ?? 'approve'];
    const isRight = told !== null && told !== 'PENDING' ? one.status === told : possible.includes(one.status);
    if (!isRight || (asked === null && one.status !== 'PENDING'))
      journal.violated(`Shoutout ${one.id} is ${one.status}, was told to be ${told} and asked to ${asked}.`);
  }
  const sent = new Set(journal.praises.map(({ key }) => key));
  for (const { key } of stored) if (!sent.has(key)) journal.violated(`Nobody has sent the shoutout ${key}.`);
  return stored.map(({ body, status }) => ({ identity: identityOf(body.recipient), counts: status === 'APPROVED' }));
}
