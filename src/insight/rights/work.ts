import type { Database } from '../../ground/database/database.ts';
import type { Recurring } from '../../ground/jobs/worker.ts';
import { type KeptList, keepErasedList } from './erased-list.ts';
import { runErasure } from './run.ts';

const eraseEveryMs = 1_000;
const listErasedEveryMs = 5_000;

/** What a worker process does every few seconds about erasures. */
export function erasureWork(database: Database, backupFolder: string | null): Recurring[] {
  let kept: KeptList | null = null;
  return [
    {
      name: 'The erasure of people',
      everyMs: eraseEveryMs,
      async run(stopping) {
        while (!stopping.aborted && (await runErasure(database)));
      },
    },
    {
      name: 'The list of erased people',
      everyMs: listErasedEveryMs,
      async run() {
        kept = await keepErasedList(database, backupFolder, kept);
      },
    },
  ];
}
