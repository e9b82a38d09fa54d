import { setTimeout as sleep } from 'node:timers/promises';
import { createAccess } from '../../../bench/programs.ts';
import { addLongHistory, removeLongHistory } from '../../support/long-history.ts';
import { openSlowReader, type SlowReader } from '../../support/slow-reader.ts';
import type { Fault, Stage } from '../fault.ts';
import { type Journal, seconds } from '../journal.ts';
import { startLoad } from '../load.ts';
import type { Rig } from '../rig.ts';

const activityPath = '/api/v1/reports/teams/activity';
const recognizedPath = '/api/v1/reports/members/last-recognized';
const shortRows = 1_000;
/** About 20 KB/s: a part of a file is 64 KiB at most. */
const pauseOfSlowMs = 3_000;
const longestTransactionMs = 2_000;

const slowExports: Fault = {
  name: 'slow-exports',
  what: 'readers stall or read 20 KB/s in two workspaces; others get their files, orders go on, no transaction stays open',
  async run(stage) {
    const { rig, journal, random, long } = stage;
    // More than the buffers between the service and its readers hold.
    const longRows = long ? 30_000 : 15_000;
    const { workspaceId: stalling, token } = await createAccess(rig.database, 5);
    const [slow, ...others] = [1, 2, 3, 4].map((more) => stalling + more) as [number, ...number[]];
    for (const workspaceId of [stalling, slow]) await addLongHistory(rig.database, workspaceId, longRows);
    for (const workspaceId of others) await addLongHistory(rig.database, workspaceId, shortRows);
    await rig.start('all');
    const open = (workspaceId: number, path = activityPath) => openFile(stage, workspaceId, token, path);

    const load = startLoad(stage, random, { clients: 4, pauseMs: 200, slower: 3 });
    const stalled = [await open(stalling), await open(stalling)];
    const honest = [await open(slow), await open(slow)];
    for (const { status } of [...stalled, ...honest])
      journal.require(status === 200, `A slow reader's file was answered ${status}.`);
    let isInHurry = false;
    const slowFiles = honest.map((reader) => reader.read(() => (isInHurry ? 0 : pauseOfSlowMs)));

    const watch = watchTransactions(rig, journal);
    const deadline = Date.now() + (long ? 240_000 : 30_000);
    for (let round = 0; Date.now() < deadline; round++) {
      for (const workspaceId of others)
        await expectWhole(journal, () => open(workspaceId, round % 2 ? recognizedPath : activityPath), round % 2 === 0);
      await expectRefused(journal, () => open(round % 2 ? stalling : slow));
      await load.accepted(long ? 5 : 2);
      await sleep(long ? 200 : 1_000);
    }
    await watch.stop();

    isInHurry = true;
    for (const { text, isWhole } of await Promise.all(slowFiles))
      journal.require(
        isWhole && linesOf(text) === longRows + 1,
        `A slow reader got ${linesOf(text)} lines of ${longRows + 1}${isWhole ? '' : ', then its connection was cut'}.`,
      );
    for (const reader of stalled) reader.leave();
    await load.stop();
    for (const workspaceId of [stalling, slow, ...others]) await removeLongHistory(rig.database, workspaceId);
    return undefined;
  },
};

async function openFile({ rig, scope }: Stage, workspaceId: number, token: string, path: string): Promise<SlowReader> {
  const headers = { Authorization: `Bearer ${token}`, 'X-Workspace-id': String(workspaceId) };
  const reader = await openSlowReader(rig.url + path, headers);
  await scope.defer(async () => reader.leave());
  return reader;
}

async function expectWhole(journal: Journal, open: () => Promise<SlowReader>, isActivity: boolean): Promise<void> {
  const began = performance.now();
  const reader = await open();
  const { text, isWhole } = await reader.read();
  const ms = performance.now() - began;
  journal.require(reader.status === 200, `A file of another workspace was answered ${reader.status}.`);
  journal.require(ms < journal.rules.maxMs, `A file of another workspace took ${seconds(ms)}.`);
  const expected = isActivity ? shortRows + 1 : 1;
  journal.require(
    reader.status !== 200 || (isWhole && linesOf(text) === expected),
    `A file of another workspace had ${linesOf(text)} lines instead of ${expected}.`,
  );
}

async function expectRefused(journal: Journal, open: () => Promise<SlowReader>): Promise<void> {
  const reader = await open();
  await reader.read();
  journal.require(
    reader.status === 429 && reader.retryAfter !== null,
    `A third file of a workspace was answered ${reader.status}, Retry-After ${reader.retryAfter}.`,
  );
}

/** Whether any of the service's sessions sits in a transaction and does nothing. */
function watchTransactions(rig: Rig, journal: Journal) {
  let isOn = true;
  const watching = (async () => {
    while (isOn) {
      const idle = await rig.database.query<{ name: string }>(
        `select application_name as name
           from pg_stat_activity
          where datname = current_database()
            and state like 'idle in transaction%'
            and state_change < now() - $1::int * interval '1 millisecond'`,
        [longestTransactionMs * journal.patience],
      );
      for (const { name } of idle) journal.violated(`A session of "${name}" sits in a transaction and does nothing.`);
      await sleep(500);
    }
  })();
  return {
    async stop() {
      isOn = false;
      await watching;
    },
  };
}

function linesOf(text: string): number {
  return text.split('\n').length - 1;
}

export const exportFaults: Fault[] = [slowExports];
