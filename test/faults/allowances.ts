import { inWorkspace } from '../../src/company/workspaces/lock.ts';
import { seal } from '../../src/company/workspaces/seals.ts';
import { budgetRecord } from '../../src/giving/budgets/sealed.ts';
import { within } from '../support/eventually.ts';
import { tracedOf } from './budgets.ts';
import type { Stage } from './fault.ts';

const amount = 100;
const grantedWithinMs = 30_000;

/** Budgets with an allowance, in the workspace whose orders no journal counts. */
export class Allowances {
  readonly #stage: Stage;
  readonly #workspaceId: number;
  /** How often each was due. The first is granted with the budget. */
  #periods = 1;

  private constructor(stage: Stage) {
    this.#stage = stage;
    this.#workspaceId = tracedOf(stage.client.workspaceId);
  }

  static async open(stage: Stage): Promise<Allowances> {
    const allowances = new Allowances(stage);
    for (const currency of ['CAD', 'USD', 'EUR'])
      await stage.client.send('POST', '/api/v1/budgets', [201], {
        workspaceId: allowances.#workspaceId,
        body: { currency, allowance: { amount, every: 'MONTH' } },
      });
    return allowances;
  }

  /** All are due now. A worker of any version grants them. */
  async fallDue(): Promise<void> {
    await this.check();
    const { database } = this.#stage.rig;
    await inWorkspace(database, this.#workspaceId, async (tx) => {
      const due = await tx.query<{ id: number }>(
        `update budgets
            set next_allowance_at = now() - interval '1 second'
          where workspace_id = $1 and allowance is not null
         returning id`,
        [this.#workspaceId],
      );
      await seal(tx, this.#workspaceId, { record: budgetRecord, keys: due.map(({ id }) => id) });
    });
    this.#periods++;
  }

  /** Each was granted once for each time it was due. */
  async check(): Promise<void> {
    const { rig, journal } = this.#stage;
    const read = async () =>
      (
        await rig.database.query<{ granted: number }>(
          'select granted::float8 as granted from budgets where workspace_id = $1 and allowance is not null',
          [this.#workspaceId],
        )
      ).map(({ granted }) => granted / amount);
    const isRight = async () => (await read()).join() === Array(3).fill(this.#periods).join();
    const isGranted = await within(grantedWithinMs * journal.patience, isRight);
    journal.require(isGranted, `Allowances were granted ${await read()} times and not ${this.#periods} times each.`);
  }
}
