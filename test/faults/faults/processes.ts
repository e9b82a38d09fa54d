import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault } from '../fault.ts';
import { type Journal, seconds } from '../journal.ts';
import { startLoad } from '../load.ts';

const servingWithinMs = 3_000;
const stoppedWithinMs = 10_000;

const apiKilled: Fault = {
  name: 'api-killed',
  what: 'the API is killed again and again under load; it serves within 3 s of its restart, and a repeated key finds its order',
  async run(stage) {
    const { rig, client, journal, random, long } = stage;
    let [api] = await Promise.all([rig.start('api'), rig.start('worker')]);
    journal.rules.mayBeLost = true;
    const load = startLoad(stage, random.fork('load'));
    for (let kill = 0; kill < (long ? 10 : 2); kill++) {
      await sleep(random.int(300, 1_200));
      await client.busy();
      await api.end('SIGKILL');
      const startedAt = Date.now();
      api = await rig.start('api');
      await load.accepted(1);
      const ms = Date.now() - startedAt;
      journal.require(
        ms <= servingWithinMs * journal.patience,
        `The killed API served again only after ${seconds(ms)}.`,
      );
    }
    await load.stop();
    return undefined;
  },
};

const terminated: Fault = {
  name: 'terminated',
  what: 'SIGTERM under load; no stored order goes unanswered, and the process exits with 0 within 10 s',
  async run(stage) {
    const { rig, client, journal, random, long } = stage;
    let service = await rig.start('all');
    journal.rules.mayBeLost = true;
    const load = startLoad(stage, random.fork('load'), { clients: 24, pauseMs: 10 });
    for (let stop = 0; stop < (long ? 6 : 2); stop++) {
      await load.accepted(long ? random.int(100, 400) : random.int(30, 120));
      await client.busy();
      const { code, ms } = await service.end('SIGTERM');
      journal.require(code === 0, `The terminated process exited with ${code}.`);
      journal.require(ms <= stoppedWithinMs * journal.patience, `The terminated process took ${seconds(ms)} to exit.`);
      service = await rig.start('all');
    }
    await load.stop();
    reportDropped(journal);
    return undefined;
  },
};

/** Reports orders that were stored and whose answer was dropped: the first answer to their key is a replay. */
function reportDropped(journal: Journal): void {
  for (const [key, sent] of Map.groupBy(journal.attempts, ({ key }) => key)) {
    const first = sent.find(({ requestId }) => requestId !== null);
    if (first?.answer?.replayed) journal.violated(`The order of key ${key} was stored and its answer dropped.`);
  }
}

export const processFaults = [apiKilled, terminated];
