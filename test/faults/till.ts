import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../support/random.ts';
import { shortOf } from './budgets.ts';
import type { Client } from './client.ts';
import type { HeldGift } from './recipient.ts';
import type { Rig } from './rig.ts';
import type { Sale } from './written.ts';

/** A till, which sends a sale again with its key until it is answered, and voids some. */
export class Till {
  readonly #client: Client;
  readonly #isOver: () => boolean;

  constructor(client: Client, isOver: () => boolean) {
    this.#client = client;
    this.#isOver = isOver;
  }

  async sell(key: string, { id: giftId, token }: HeldGift, random: Random): Promise<void> {
    const sale: Sale = { key, giftId, amount: random.int(1, 2_000) / 100, id: null };
    this.#client.journal.sales.push(sale);
    const body = { token, amount: sale.amount };
    for (let isRefused = false; sale.id === null && !isRefused && !this.#isOver(); ) {
      const { status, text } = await this.#send('/api/v1/gifts/redemptions', [201, 402, 409], { key, body });
      if (status === 201) sale.id = (JSON.parse(text) as { id: number }).id;
      isRefused = status === 402 || status === 409;
      if (sale.id === null && !isRefused) await sleep(random.int(50, 250));
    }
    if (sale.id !== null && random.chance(0.4)) await this.#send(`/api/v1/gifts/redemptions/${sale.id}/void`, [200]);
  }

  #send(path: string, good: readonly number[], sent = {}) {
    return this.#client.send('POST', path, good, { ...sent, workspaceId: shortOf(this.#client.workspaceId) });
  }
}

/** Checks that every sale that was answered is there once, with its amount. */
export async function compareSales(rig: Rig, { journal, workspaceId }: Client): Promise<void> {
  const stored = await rig.database.query<{ id: number; key: string; amount: number }>(
    `select id, idempotency_key as key, amount from redemptions where workspace_id = $1 and kind = 'TILL'`,
    [shortOf(workspaceId)],
  );
  const byKey = new Map(stored.map((one) => [one.key, one]));
  for (const { key, giftId, amount, id } of journal.sales) {
    const one = byKey.get(key);
    if (id !== null && (one?.id !== id || one.amount !== amount))
      journal.violated(`A till took ${amount} of gift ${giftId} (${id}), and there is no such redemption.`);
  }
}
