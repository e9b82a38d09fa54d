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
  /**
   * Says that work is waiting whose job does not arrive. The job runner is restarted, unless the round is fresh, or a job
   * has begun since the round before: then the queue is only long.
   */
  jobsAreLost: () => void;
}

/** Runs the rounds, one after the other, until the signal is aborted. A round that fails is repeated. */
export async function repeat(
  recurring: Recurring,
  runner: JobRunner,
  log: Logger,
  stopping: AbortSignal,
): Promise<void> {
  let last: JobRunner['counts'] | null = null;
  while (!stopping.aborted) {
    try {
      last = await runRound(recurring, runner, last);
    } catch (error) {
      log.warn({ err: error }, `${recurring.name} did not succeed and is tried again.`);
    }
    await pause(recurring.everyMs, stopping);
  }
}

/** Returns the runner's counts for the next round to compare with. */
async function runRound(
  { run }: Recurring,
  runner: JobRunner,
  last: JobRunner['counts'] | null,
): Promise<JobRunner['counts']> {
  const { restarts } = runner.counts;
  const isFresh = last?.restarts !== restarts;
  const jobsAreLost = () => {
    if (!isFresh && last?.begun === runner.counts.begun) runner.restart();
  };
  await run({ isFresh, jobsAreLost });
  return { restarts, begun: runner.counts.begun };
}
