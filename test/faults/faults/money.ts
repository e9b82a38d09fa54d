import { setTimeout as sleep } from 'node:timers/promises';
import { shortOf } from '../budgets.ts';
import type { Fault, Stage } from '../fault.ts';
import { startLoad } from '../load.ts';

const moneyKilled: Fault = {
  name: 'money-killed',
  what: 'API and workers are killed while orders draw on budgets and gifts are claimed, spent, cancelled and expire, and wishes are decided; no cent is lost, none is spent twice',
  async run(stage) {
    const { rig, client, journal, random, long } = stage;
    let api = await rig.start('api');
    const workers = [await rig.start('worker'), await rig.start('worker')];
    journal.rules.mayBeLost = true;
    const load = startLoad(client, random.fork('load'), { clients: 8, pauseMs: 60 });
    await load.accepted(20);
    for (let strike = 0; strike < (long ? 12 : 4); strike++) {
      await letSomeExpire(stage);
      await sleep(random.int(0, 900));
      const victim = random.int(0, 2);
      if (victim === 2) {
        await api.end('SIGKILL');
        api = await rig.start('api');
      } else {
        await workers[victim]?.end('SIGKILL');
        workers[victim] = await rig.start('worker');
      }
    }
    await load.stop();
    const { purchases, spendings, wishes } = journal;
    const isTried = (done: boolean, what: string) => journal.require(done, `The load has never ${what}.`);
    isTried(
      purchases.some(({ isRefused }) => isRefused),
      'exhausted the small budget',
    );
    isTried(
      spendings.some(({ isDone }) => isDone),
      'spent a gift',
    );
    isTried(
      spendings.some(({ codes }) => codes.size > 0),
      'got a code of the pool',
    );
    isTried(wishes.size > 0, 'decided a wish');
    return undefined;
  },
};

/** A worker finds them within some seconds. */
async function letSomeExpire({ rig, client, random }: Stage): Promise<void> {
  await rig.database.query(
    `update certificates
        set expires_at = clock_timestamp() + $2::int * interval '1 second'
      where workspace_id = $1
        and state = 'ISSUED'
        and id % 4 = $3`,
    [shortOf(client.workspaceId), random.int(0, 3), random.int(0, 3)],
  );
}

export const moneyFaults = [moneyKilled];
