import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Database } from '../database/database.ts';
import { type Recurring, repeat } from './recurring.ts';
import { JobRunner, type Tasks } from './runner.ts';

export interface JobHandlers {
  tasks: Tasks;
  recurring: readonly Recurring[];
}

export interface Worker {
  isRunning(): boolean;
  stop(): Promise<void>;
}

const stopTimeoutMs = 2_000;

/** Runs jobs and recurring work until stopped. */
export function startWorker(database: Database, handlers: JobHandlers, log: Logger): Worker {
  const stopping = new AbortController();
  const runner = new JobRunner(database, handlers.tasks, log);
  const running = [
    runner.keepRunning(stopping.signal),
    ...handlers.recurring.map((recurring) => repeat(recurring, runner, log, stopping.signal)),
  ];
  return {
    isRunning: () => runner.isRunning,
    async stop() {
      stopping.abort();
      // Jobs cannot finish while the database hangs. They run again after the next start.
      const finished = Promise.all([runner.stop(), ...running]);
      await Promise.race([finished, sleep(stopTimeoutMs, undefined, { ref: false })]);
    },
  };
}
