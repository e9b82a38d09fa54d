import { EventEmitter, once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Logger, type Runner, run, type TaskList } from 'graphile-worker';
import type { Logger as Log } from 'pino';
import type { Database } from '../database/database.ts';
import { pause } from './pause.ts';

/** By task name: what a job does with its payload. */
export type Tasks = Record<string, (payload: unknown) => Promise<void>>;

// Only nodes of the version before add jobs, and those end at once. Each further slot would ask for jobs every second, on a
// connection of its own.
const concurrency = 1;
const pollMs = 1_000;
const restartAfterMs = 1_000;
const shutdownTimeoutMs = 2_000;

/** graphile-worker's runner, started again whenever it ends: it ends when the database goes away. */
export class JobRunner {
  readonly #database: Database;
  readonly #log: Log;
  readonly #taskList: TaskList;
  #runner: Runner | null = null;
  #restarts = 0;

  constructor(database: Database, tasks: Tasks, log: Log) {
    this.#database = database;
    this.#log = log;
    this.#taskList = tasks;
  }

  get isRunning(): boolean {
    return this.#runner !== null;
  }

  /** How often the runner was started again. */
  get restarts(): number {
    return this.#restarts;
  }

  async keepRunning(stopping: AbortSignal): Promise<void> {
    while (!stopping.aborted) {
      await this.#runOnce(stopping).catch((error) =>
        this.#log.warn({ err: error }, 'The job runner has stopped and starts again.'),
      );
      this.#runner = null;
      this.#restarts++;
      await pause(restartAfterMs, stopping);
    }
  }

  /** Resolves when the jobs under way have ended. */
  async stop(): Promise<void> {
    await this.#runner?.stop();
  }

  /** Resolves when the runner has ended. */
  async #runOnce(stopping: AbortSignal): Promise<void> {
    const events = new EventEmitter();
    const shutDown = hasShutDown(events);
    const runner = await this.#start(events);
    this.#runner = runner;
    if (stopping.aborted) await runner.stop();
    await Promise.race([runner.promise, shutDown]);
  }

  #start(events: EventEmitter): Promise<Runner> {
    return run({
      events,
      pgPool: this.#database.pool,
      concurrency,
      pollInterval: pollMs,
      noHandleSignals: true,
      taskList: this.#taskList,
      crontab: '',
      // With batching, graphile-worker retries to record the end of a job while the database is away. Without it, the
      // failure would be an unhandled rejection.
      preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
      logger: new Logger(() => (level, message) => {
        if (level === 'error' || level === 'warning') this.#log.warn(message);
      }),
    });
  }
}

/** A runner shuts down when the database goes away, and then its own promise may never resolve. This one does. */
async function hasShutDown(events: EventEmitter): Promise<void> {
  await once(events, 'pool:gracefulShutdown');
  await sleep(shutdownTimeoutMs, undefined, { ref: false });
}
