import type { Logger } from 'pino';
import { pause } from './pause.ts';
import type { JobRunner } from './runner.ts';

/** Work that is done every `everyMs`, whether there are jobs or not. */
export interface Recurring {
  name: string;
  everyMs: number;
  run: (round: Round) => Promise<void>;
}

export interface Round {
  /** The first round since the job runner was started: jobs may have been lost before. */
  isFresh: boolean;
}

/** Runs the rounds, one after the other, until the signal is aborted. A round that fails is repeated. */
export async function repeat(
  recurring: Recurring,
  runner: JobRunner,
  log: Logger,
  stopping: AbortSignal,
): Promise<void> {
  let last: number | null = null;
  while (!stopping.aborted) {
    try {
      last = await runRound(recurring, runner, last);
    } catch (error) {
      log.warn({ err: error }, `${recurring.name} did not succeed and is tried again.`);
    }
    await pause(recurring.everyMs, stopping);
  }
}

/** Returns how often the runner had been started again, for the next round to compare with. */
async function runRound({ run }: Recurring, { restarts }: JobRunner, last: number | null): Promise<number> {
  await run({ isFresh: last !== restarts });
  return restarts;
}
