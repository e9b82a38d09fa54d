import { setTimeout as sleep } from 'node:timers/promises';
import type { Stage } from './fault.ts';
import type { Program } from './rig.ts';

const attempts = 100;

/**
 * Stops the only worker inside a transaction, whatever its state. If the stop came at another moment, the worker goes on and it is tried
 * again. Returns whether it was caught; otherwise it runs.
 */
export async function stopAtWork(
  { rig, random }: Pick<Stage, 'rig' | 'random'>,
  worker: Program,
  { settleMs = 0, states = ['active', 'idle in transaction'] } = {},
): Promise<boolean> {
  const own = random.fork(`stops of ${rig.programs.length}`);
  for (let attempt = 0; attempt < attempts; attempt++) {
    worker.signal('SIGSTOP');
    await sleep(settleMs);
    const [open] = await rig.database.query<{ count: number }>(
      `select count(*) as count
         from pg_stat_activity
        where datname = current_database()
          and application_name = 'giftwire jobs'
          and xact_start is not null
          and state = any($1)`,
      [states],
    );
    if (open && open.count > 0) return true;
    worker.signal('SIGCONT');
    await sleep(own.int(5, 60));
  }
  return false;
}

/** Kills the only worker in the middle of its work. */
export async function killAtWork(stage: Stage, worker: Program): Promise<void> {
  const isCaught = await stopAtWork(stage, worker);
  stage.journal.require(isCaught, 'The worker had nothing to do when it was killed.');
  await worker.end('SIGKILL');
}
