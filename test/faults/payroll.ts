import { setTimeout as sleep } from 'node:timers/promises';
import type { RedemptionPage } from '../../src/ground/contract/redemption.ts';
import type { Random } from '../support/random.ts';
import { shortOf } from './budgets.ts';
import type { Client } from './client.ts';
import type { Answer } from './journal.ts';
import type { Rig } from './rig.ts';

/** The people who pay salaries: they close exports, read them again, and take back what was a mistake. */
export class Payroll {
  readonly #client: Client;
  readonly #isOver: () => boolean;
  /** The files by their numbers, as they were read first. */
  readonly #files = new Map<number, string | null>();

  constructor(client: Client, isOver: () => boolean) {
    this.#client = client;
    this.#isOver = isOver;
  }

  /** Closes an export. Without an answer, it is asked for again with the same key. */
  async close(key: string, random: Random): Promise<void> {
    for (let isAnswered = false; !isAnswered && !this.#isOver(); ) {
      const { status, text } = await this.#send('POST', '/api/v1/payroll-exports', [201, 409], { key });
      isAnswered = status === 201 || status === 409;
      if (status === 201) this.#note((JSON.parse(text) as { number: number }).number);
      if (!isAnswered) await sleep(random.int(50, 250));
    }
  }

  /** Each export was closed under one key, so that a number comes once. */
  #note(number: number): void {
    this.#client.journal.require(!this.#files.has(number), `Payroll export ${number} was closed twice.`);
    this.#files.set(number, null);
  }

  async readAgain(random: Random): Promise<void> {
    if (this.#files.size === 0) return;
    const number = random.pick([...this.#files.keys()]);
    const accept = 'text/csv';
    const { status, text } = await this.#send('GET', `/api/v1/payroll-exports/${number}`, [200, 429], { accept });
    if (status !== 200) return;
    const before = this.#files.get(number) ?? text;
    this.#client.journal.require(text === before, `Payroll export ${number} is not the file that it was.`);
    this.#files.set(number, before);
  }

  async reverse(random: Random): Promise<void> {
    const path = '/api/v1/redemptions?kind=PAYROLL&state=DONE&size=20';
    const { status, text } = await this.#send('GET', path, [200]);
    const { redemptions = [] } = status === 200 ? (JSON.parse(text) as RedemptionPage) : {};
    if (redemptions.length === 0) return;
    await this.#send('POST', `/api/v1/redemptions/${random.pick(redemptions).id}/reverse`, [200]);
  }

  #send(method: string, path: string, good: readonly number[], sent = {}): Promise<Answer> {
    return this.#client.send(method, path, good, { ...sent, workspaceId: shortOf(this.#client.workspaceId) });
  }
}

/** Checks that each redemption is in one export at most, and that the lines of exports say what the redemptions say. */
export async function comparePayroll(rig: Rig, { journal }: Client): Promise<void> {
  const [wrong] = await rig.database.query<{ count: number }>(
    `select count(*) as count
       from (select workspace_id, exported_in as number, id as redemption_id, amount
               from redemptions where exported_in is not null
              union all
             select workspace_id, reversed_in, id, -amount
               from redemptions where reversed_in is not null) paid
       full join payroll_lines line using (workspace_id, number, redemption_id, amount)
      where paid.redemption_id is null
         or line.nth is null`,
  );
  journal.require(wrong?.count === 0, `${wrong?.count} lines of payroll exports are not those of the redemptions.`);
}
