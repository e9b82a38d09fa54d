import type { Queryable } from './database.ts';

/**
 * Work that belongs to a change but to another module: an event to log, a balance to move, an email to send, something to count.
 * service.ts hands the steps to the part that makes the change, which knows nothing else of them.
 */
export interface Step<Change> {
  /** Runs last in the transaction of the change: both are committed, or neither. An error rolls the change back. */
  inTransaction?(tx: Queryable, change: Change): Promise<void>;
  /** Runs after the commit. A crash can prevent it, so that it only counts and logs. */
  afterCommit?(change: Change): void;
}

export async function runSteps<Change>(steps: readonly Step<Change>[], tx: Queryable, change: Change): Promise<void> {
  for (const step of steps) await step.inTransaction?.(tx, change);
}

/** Tells the steps of a commit. */
export function tellSteps<Told>(steps: readonly { afterCommit?(told: Told): void }[], told: Told): void {
  for (const step of steps) tell(() => step.afterCommit?.(told));
}

/** Tells a step of what has happened. An error cannot undo it, and must not look as if it had failed: it becomes a warning. */
export function tell(step: () => void): void {
  try {
    step();
  } catch (error) {
    process.emitWarning(error as Error);
  }
}
