import type { RedemptionPage, RedemptionState } from '../../src/ground/contract/redemption.ts';
import type { SpendingRequest } from '../../src/ground/contract/spending-request.ts';
import type { Random } from '../support/random.ts';
import { shortOf } from './budgets.ts';
import type { Client } from './client.ts';
import type { Answer } from './journal.ts';
import type { Rig } from './rig.ts';

/** The people who fulfil and decline what recipients ask for. */
export class Helpers {
  readonly #client: Client;

  constructor(client: Client) {
    this.#client = client;
  }

  /** Decides a request. A colleague may be quicker and decide otherwise: that is a 409. Some answers are asked for twice. */
  async decide(random: Random): Promise<void> {
    const { status, text } = await this.#send('GET', '/api/v1/redemptions?state=REQUESTED&size=20', [200]);
    const { redemptions = [] } = status === 200 ? (JSON.parse(text) as RedemptionPage) : {};
    if (redemptions.length === 0) return;
    const { id } = random.pick(redemptions);
    const path = `/api/v1/redemptions/${id}/${random.pick(['fulfil', 'decline'])}`;
    for (let again = random.chance(0.3) ? 2 : 1; again > 0; again--)
      this.#note(await this.#send('POST', path, [200, 409]));
  }

  #note({ status, text }: Answer): void {
    if (status !== 200) return;
    const { id, state } = JSON.parse(text) as SpendingRequest;
    const before = this.#client.journal.spendingRequests.get(id) ?? state;
    this.#client.journal.require(state === before, `Request ${id} was ${before} and became ${state}.`);
    this.#client.journal.spendingRequests.set(id, state);
  }

  #send(method: string, path: string, good: readonly number[]): Promise<Answer> {
    return this.#client.send(method, path, good, { workspaceId: shortOf(this.#client.workspaceId) });
  }
}

/** Checks that every decision that was answered stands. The ledger says whether the balances of declined requests went back. */
export async function compareRequests(rig: Rig, { journal, workspaceId }: Client): Promise<void> {
  const stored = await rig.database.query<{ id: number; state: RedemptionState }>(
    `select id, state from redemptions where workspace_id = $1 and kind = 'HAND'`,
    [shortOf(workspaceId)],
  );
  const states = new Map(stored.map(({ id, state }) => [id, state]));
  for (const [id, state] of journal.spendingRequests)
    journal.require(states.get(id) === state, `Request ${id} was answered as ${state} and is ${states.get(id)}.`);
}
