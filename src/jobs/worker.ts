import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Database } from '../database/database.ts';
import { pause } from './pause.ts';
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

/** Recurring work begins at intervals: begun at once, each would open a connection of its own. */
const apartMs = 100;

/** Runs jobs and recurring work until stopped. */
export function startWorker(database: Database, handlers: JobHandlers, log: Logger): Worker {
  const stopping = new AbortController();
  const runner = new JobRunner(database, handlers.tasks, log);
  const running = [
    runner.keepRunning(stopping.signal),
    ...handlers.recurring.map((recurring, index) =>
      pause(index * apartMs, stopping.signal).then(() => repeat(recurring, runner, log, stopping.signal)),
    ),
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
