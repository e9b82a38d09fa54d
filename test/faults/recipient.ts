import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../support/random.ts';
import { retailer, shortOf } from './budgets.ts';
import type { Client } from './client.ts';
import type { Rig } from './rig.ts';
import type { Spending } from './written.ts';

/** A gift as its recipient knows it. */
export interface HeldGift {
  id: number;
  token: string;
  amount: number;
}

/** The spending options that recipients choose, and how much they spend. Codes have one value. */
const spendingOptions = {
  payroll: (random: Random, amount: number) => random.int(1, Math.round(amount * 100)) / 100,
  charity: () => 1,
  cards: () => 5,
};

/** A recipient with many gifts, who claims them on their pages and spends them there. */
export class Recipient {
  readonly #client: Client;
  readonly #isOver: () => boolean;
  readonly #claimed: HeldGift[] = [];

  constructor(client: Client, isOver: () => boolean) {
    this.#client = client;
    this.#isOver = isOver;
  }

  /** Whether the gift is claimed now. It is not if it was cancelled or has expired. */
  async claim(gift: HeldGift): Promise<boolean> {
    const { status } = await this.#post('/g/claim', { token: gift.token });
    if (status === 200) this.#claimed.push(gift);
    return status === 200;
  }

  /** Spends a part of a gift. What was not answered is sent again with its key; what was answered is sometimes sent again too. */
  async spend(key: string, random: Random): Promise<void> {
    if (this.#claimed.length === 0) return;
    const gift = random.pick(this.#claimed);
    const option = random.pick(Object.keys(spendingOptions) as (keyof typeof spendingOptions)[]);
    const amount = spendingOptions[option](random, gift.amount);
    const spending: Spending = { key, giftId: gift.id, option, amount, isDone: false, codes: new Set() };
    this.#client.journal.spendings.push(spending);
    for (let isRefused = false; !spending.isDone && !isRefused && !this.#isOver(); ) {
      isRefused = await this.#send(spending, gift.token);
      if (!spending.isDone && !isRefused) await sleep(random.int(50, 250));
    }
    if (spending.isDone && random.chance(0.3)) await this.#send(spending, gift.token);
  }

  /** Returns whether it was refused: too little is left, or the pool is empty. */
  async #send(spending: Spending, token: string): Promise<boolean> {
    const { key, option, amount } = spending;
    const { status, text } = await this.#post('/g/spend', { token, option, amount: String(amount), key, retailer });
    if (status === 200) {
      spending.isDone = true;
      for (const [code] of text.matchAll(/CODE-\w+/g)) spending.codes.add(code);
    }
    return status === 409;
  }

  #post(path: string, fields: Record<string, string>) {
    const text = new URLSearchParams(fields).toString();
    return this.#client.send('POST', path, [200, 409], { text, type: 'application/x-www-form-urlencoded' });
  }
}

/** Checks that everything that was answered is spent once, and that no code was given twice. */
export async function compareSpendings(rig: Rig, { journal, workspaceId }: Client): Promise<void> {
  const stored = await rig.database.query<{ key: string; option: string; amount: number }>(
    'select idempotency_key as key, spending_option as option, amount from redemptions where workspace_id = $1',
    [shortOf(workspaceId)],
  );
  const byKey = new Map(stored.map((one) => [one.key, one]));
  const owners = new Map<string, string>();
  for (const { key, giftId, option, amount, isDone, codes } of journal.spendings) {
    const one = byKey.get(`page:${giftId}:${key}`);
    if (isDone && (one?.option !== option || one.amount !== amount))
      journal.violated(`${amount} of gift ${giftId} was spent (${option}), and there is no such redemption.`);
    if (isDone && codes.size !== (option === 'cards' ? 1 : 0))
      journal.violated(`Redemption ${key} (${option}) of gift ${giftId} has shown ${codes.size} codes.`);
    for (const code of codes) {
      if (owners.has(code)) journal.violated(`The code ${code} was given for ${owners.get(code)} and for ${key}.`);
      owners.set(code, key);
    }
  }
  const [wrong] = await rig.database.query<{ count: number }>(codesSql);
  journal.require(wrong?.count === 0, `${wrong?.count} redemptions and codes of pools do not belong together.`);
}

const codesSql = `
  select count(*) as count
    from (select workspace_id, id from redemptions where kind = 'POOL' and (spending_id is null or spending_id = id)) d
    full join (select workspace_id, redemption_id as id from pool_codes where redemption_id is not null) c using (workspace_id, id)
   where d.id is null or c.id is null`;
