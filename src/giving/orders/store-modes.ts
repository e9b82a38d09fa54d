import type { WorkspaceGrant } from '../../company/access/grants.ts';
import type { AcceptStep, ConcernedOrder } from './order-steps.ts';

/** Whether a step has to do with an order before it is stored. */
export function concerns(step: AcceptStep, order: ConcernedOrder): boolean {
  return (step.judge ?? step.refuse ?? step.inTransaction) !== undefined && (step.concerns?.(order) ?? true);
}

/**
 * Orders of different modes are never stored together. `free`: no step has to do with them. `statement`: the steps are part of the
 * statement that stores them. `transaction`: a step needs a transaction, or orders of this workspace were refused a moment ago.
 */
export type StoreMode = 'free' | 'statement' | 'transaction';

const rememberedMs = 1_000;
const maxRemembered = 10_000;

/**
 * Says with which others an order is stored. A workspace whose budget is exhausted would make every statement fail in which one of
 * its orders is, and the others of that batch would be stored again one by one.
 */
export class StoreModes {
  readonly #steps: readonly AcceptStep[];
  /** By workspace, until when its orders are kept apart. */
  readonly #apart = new Map<number, number>();

  constructor(steps: readonly AcceptStep[]) {
    this.#steps = steps;
  }

  of(order: ConcernedOrder): StoreMode {
    const concerned = this.#steps.filter((step) => concerns(step, order));
    if (concerned.length === 0) return 'free';
    const isApart = performance.now() < (this.#apart.get(order.workspace.workspaceId) ?? 0);
    const isSuited = ({ inStatement }: AcceptStep) => inStatement !== undefined && (inStatement.suits?.(order) ?? true);
    return isApart || !concerned.every(isSuited) ? 'transaction' : 'statement';
  }

  /** Notes the workspaces of orders that a statement cannot store: they were refused, or had to be judged. */
  note(workspaces: readonly WorkspaceGrant[]): void {
    if (this.#apart.size > maxRemembered) this.#apart.clear();
    for (const { workspaceId } of workspaces) this.#apart.set(workspaceId, performance.now() + rememberedMs);
  }
}
