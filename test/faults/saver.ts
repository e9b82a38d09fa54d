import { setTimeout as sleep } from 'node:timers/promises';
import { addMembers } from '../../src/company/directory/save.ts';
import { lockWorkspace } from '../../src/company/workspaces/lock.ts';
import type { MyGiftPage } from '../../src/ground/contract/my-gift.ts';
import type { Random } from '../support/random.ts';
import { shortOf } from './budgets.ts';
import type { Client } from './client.ts';
import type { Stage } from './fault.ts';
import type { Answer } from './journal.ts';
import type { Rig } from './rig.ts';
import type { SpentTogether } from './written.ts';

const email = 'saver@example.com';
const pauseMs = 300;
const lastRetriesMs = 30_000;

/**
 * The token of the load acts as a person of the workspace with too small a budget, before its first request there. The person lets gifts add up and spends
 * several together, until it is stopped.
 */
export async function startSaving({ rig, client, random }: Stage): Promise<{ stop(): Promise<void> }> {
  const workspaceId = shortOf(client.workspaceId);
  await rig.database.transaction(async (tx) => {
    await lockWorkspace(tx, workspaceId);
    const [memberId] = await addMembers(tx, workspaceId, [{ email }]);
    await tx.query('update api_token_workspaces set member_id = $2 where workspace_id = $1', [workspaceId, memberId]);
  });
  let stopsAt = Number.POSITIVE_INFINITY;
  const saver = new Saver(client, () => client.isClosed || Date.now() > stopsAt);
  const own = random.fork('saver');
  const work = (async () => {
    for (let nth = 0; stopsAt === Number.POSITIVE_INFINITY && !client.isClosed; nth++) {
      await (own.chance(0.3) ? saver.save(`saving-${nth}`, own) : saver.spend(`saved-${nth}`, own));
      await sleep(own.int(0, pauseMs));
    }
  })();
  return {
    async stop() {
      stopsAt = Date.now() + lastRetriesMs * client.journal.patience;
      await work;
    },
  };
}

/** A person who lets gifts add up, and spends several together. */
class Saver {
  readonly #client: Client;
  readonly #isOver: () => boolean;

  constructor(client: Client, isOver: () => boolean) {
    this.#client = client;
    this.#isOver = isOver;
  }

  /** Gets a few gifts, and opens what is there. */
  async save(key: string, random: Random): Promise<void> {
    const orderItems = Array.from({ length: random.int(1, 3) }, () => ({
      message: 'Thank you!',
      amount: random.int(100, 2_000) / 100,
      recipient: { email },
    }));
    await this.#send('POST', '/api/v1/orders', [201, 402], { key, body: { currency: 'CAD', orderItems } });
    const { gifts = [] } = await this.#read('?standing=SEALED');
    for (const { id } of gifts) await this.#send('POST', `/api/v1/me/gifts/${id}/open`, [200, 404]);
  }

  /** Spends a part of everything, sometimes more than there is. What was not answered is sent again with its key. */
  async spend(key: string, random: Random): Promise<void> {
    const { totals = [] } = await this.#read('?size=1');
    const most = Math.round((totals[0]?.left ?? 0) * 110);
    if (most === 0) return;
    const spent: SpentTogether = { key, cents: random.int(1, most), id: null, isRefused: false };
    this.#client.journal.spentTogether.push(spent);
    const body = { amount: spent.cents / 100, currency: 'CAD', spendingOption: 'payroll' };
    while (spent.id === null && !spent.isRefused && !this.#isOver()) {
      const { status, text } = await this.#send('POST', '/api/v1/me/spending', [201, 402, 409], { key, body });
      if (status === 201) spent.id = (JSON.parse(text) as { id: number }).id;
      else if (status === 402 || status === 409) spent.isRefused = true;
      else await sleep(random.int(50, 250));
    }
    if (spent.id !== null && random.chance(0.2))
      await this.#send('POST', `/api/v1/me/spending/${spent.id}/reverse`, [200, 409]);
  }

  async #read(query: string): Promise<Partial<MyGiftPage>> {
    const { status, text } = await this.#send('GET', `/api/v1/me/gifts${query}`, [200]);
    return status === 200 ? (JSON.parse(text) as MyGiftPage) : {};
  }

  #send(method: string, path: string, good: readonly number[], sent = {}): Promise<Answer> {
    return this.#client.send(method, path, good, { ...sent, workspaceId: shortOf(this.#client.workspaceId) });
  }
}

/** Checks that every spending that was answered is there once, and that each is there as a whole or not at all. */
export async function compareSpentTogether(rig: Rig, { journal, workspaceId }: Client): Promise<void> {
  const stored = await rig.database.query<{ key: string; id: number; cents: number }>(
    `select split_part(first.idempotency_key, ':', 3) as key, first.id, round(sum(part.amount) * 100)::int as cents
       from redemptions first
       join redemptions part on part.workspace_id = first.workspace_id and coalesce(part.spending_id, part.id) = first.id
      where first.workspace_id = $1
        and first.idempotency_key like 'me:%'
      group by first.idempotency_key, first.id`,
    [shortOf(workspaceId)],
  );
  const byKey = new Map(stored.map((one) => [one.key, one]));
  for (const { key, cents, id, isRefused } of journal.spentTogether) {
    const one = byKey.get(key);
    if (id !== null && one?.id !== id) journal.violated(`Spending ${id} was answered, and there is none with its key.`);
    if (isRefused && one) journal.violated(`Spending ${key} was refused, and is there as ${one.id}.`);
    if (one && one.cents !== cents) journal.violated(`${cents} cents were spent together, and ${one.cents} are there.`);
  }
}
