import type { Database } from '../../ground/database/database.ts';
import { withoutJoin } from '../../ground/database/joining.ts';
import { unavailable } from '../../ground/errors.ts';
import type { AcceptedOrder, AcceptStep } from './order-steps.ts';

/** More often than this, the cause is not one that passes. */
const most = 3;

/** Runs a transaction about these orders, and runs it again if it failed and a step has removed the cause. `work` undoes everything if it fails. */
export async function repeatAfterSteps<T>(
  database: Database,
  steps: readonly AcceptStep[],
  orders: readonly AcceptedOrder[],
  work: () => Promise<T>,
): Promise<T> {
  for (let times = 1; ; times++)
    try {
      return await work();
    } catch (error) {
      if (!(await withoutJoin(() => recover(database, steps, orders, error)))) throw error;
      if (times === most) throw unavailable(error);
    }
}

async function recover(
  database: Database,
  steps: readonly AcceptStep[],
  orders: readonly AcceptedOrder[],
  error: unknown,
): Promise<boolean> {
  let hasRecovered = false;
  for (const step of steps) hasRecovered = (await step.recover?.(database, orders, error)) || hasRecovered;
  return hasRecovered;
}
