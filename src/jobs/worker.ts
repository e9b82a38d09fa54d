import { EventEmitter, once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Logger, type Runner, run, type TaskList } from 'graphile-worker';
import type { Logger as Log } from 'pino';
import type { Database } from '../database/database.ts';

export interface JobHandlers {
  /** By task name: what a job does with its payload. */
  tasks: Record<string, (payload: unknown) => Promise<void>>;
  /**
   * Runs every `everyMs`. `fresh` is true after a start or an interruption, when jobs may have been lost. If a run that is
   * not fresh returns 'lost', and no job has begun since the run before it, the job runner is restarted.
   */
  recurring: { name: string; everyMs: number; run: (fresh: boolean) => Promise<'lost' | undefined> }[];
}

export interface Worker {
  isRunning(): boolean;
  stop(): Promise<void>;
}

const concurrency = 8;
const restartMs = 1_000;
const stopTimeoutMs = 2_000;
const shutdownTimeoutMs = 2_000;

/** Runs jobs until stopped. After the database was away, it starts the job runner again. */
export function startWorker(database: Database, handlers: JobHandlers, log: Log): Worker {
  const stopping = new AbortController();
  let runner: Runner | null = null;
  let restarts = 0;
  let jobsAreLost = () => {};
  let begun = 0;
  const taskList: TaskList = {};
  for (const [name, task] of Object.entries(handlers.tasks))
    taskList[name] = (payload) => {
      begun++;
      return task(payload);
    };

  const jobs = (async () => {
    while (!stopping.signal.aborted) {
      const events = new EventEmitter();
      const shutDown = givenUp(events);
      const lost = new Promise<void>((resolve) => {
        jobsAreLost = resolve;
      });
      try {
        runner = await run({
          events,
          pgPool: database.pool,
          concurrency,
          pollInterval: 1_000,
          noHandleSignals: true,
          taskList,
          crontab: '',
          // With batching, graphile-worker retries to record the end of a job while the database is away. Without it, the
          // failure would be an unhandled rejection.
          preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
          logger: new Logger(() => (level, message) => {
            if (level === 'error' || level === 'warning') log.warn(message);
          }),
        });
        if (stopping.signal.aborted) await runner.stop();
        await Promise.race([runner.promise, shutDown, lost.then(() => runner?.stop())]);
      } catch (error) {
        log.warn({ err: error }, 'The job runner has stopped and starts again.');
      }
      runner = null;
      restarts++;
      await pause(restartMs, stopping.signal);
    }
  })();

  const recurring = handlers.recurring.map(async ({ name, everyMs, run }) => {
    let seen = 0;
    for (let done = -1; !stopping.signal.aborted; ) {
      try {
        const current = restarts;
        const outcome = await run(done < current);
        // If jobs have begun in between, the queue is only long and needs no restart.
        if (outcome === 'lost' && done === current && seen === begun) jobsAreLost();
        done = current;
        seen = begun;
      } catch (error) {
        log.warn({ err: error }, `${name} did not succeed and is tried again.`);
      }
      await pause(everyMs, stopping.signal);
    }
  });

  return {
    isRunning: () => runner !== null,
    async stop() {
      stopping.abort();
      // Jobs cannot finish while the database hangs. They run again after the next start.
      const finished = Promise.all([runner?.stop(), jobs, ...recurring]);
      await Promise.race([finished, sleep(stopTimeoutMs, undefined, { ref: false })]);
    },
  };
}

/** A runner shuts down when the database goes away, and then its own promise may never resolve. This one does. */
async function givenUp(events: EventEmitter): Promise<void> {
  await once(events, 'pool:gracefulShutdown');
  await sleep(shutdownTimeoutMs, undefined, { ref: false });
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return sleep(ms, undefined, { signal }).catch(() => {});
}
