import { setTimeout as sleep } from 'node:timers/promises';
import { within } from '../../support/eventually.ts';
import { sealAsIs } from '../../support/seals.ts';
import { shortOf } from '../budgets.ts';
import type { Fault, Stage } from '../fault.ts';
import type { Journal } from '../journal.ts';
import { startLoad } from '../load.ts';
import { startSaving } from '../saver.ts';

const triedWithinMs = 20_000;

const moneyKilled: Fault = {
  name: 'money-killed',
  what: 'API and workers are killed while orders draw on budgets and gifts are claimed, spent, also several together, cancelled and expire, and requests are decided; no cent is lost, none is spent twice',
  async run(stage) {
    const { rig, client, journal, random, long } = stage;
    let [api, ...workers] = await Promise.all([rig.start('api'), rig.start('worker'), rig.start('worker')]);
    journal.rules.mayBeLost = true;
    const saving = await startSaving(stage);
    const load = startLoad(stage, random.fork('load'), { clients: 8, pauseMs: 60, restOfSpending: 1 });
    await load.accepted(20);
    // The seed chooses who is first, and each has their turn.
    const first = random.int(0, 2);
    for (let strike = 0; strike < (long ? 12 : 3); strike++) {
      await letSomeExpire(stage);
      await sleep(random.int(0, 900));
      const victim = (first + strike) % 3;
      await client.busy();
      if (victim === 2) {
        await api.end('SIGKILL');
        api = await rig.start('api');
      } else {
        await workers[victim]?.end('SIGKILL');
        workers[victim] = await rig.start('worker');
      }
    }
    await within(triedWithinMs * journal.patience, async () => leftToTry(journal).length === 0);
    await Promise.all([load.stop(), saving.stop()]);
    for (const what of leftToTry(journal)) journal.violated(`The load has never ${what}.`);
    return undefined;
  },
};

function leftToTry(journal: Journal): string[] {
  const isTogether = journal.spentTogether.some(({ id }) => id !== null);
  return [...untried(journal), ...(isTogether ? [] : ['spent several gifts together'])];
}

/** What the load has not done yet, also beside a node of the release before. */
export function untried({ purchases, spendings, spendingRequests }: Journal): string[] {
  const isDone = {
    'exhausted the small budget': purchases.some(({ isRefused }) => isRefused),
    'spent a gift': spendings.some(({ isDone }) => isDone),
    'got a code of the pool': spendings.some(({ codes }) => codes.size > 0),
    'decided a request': spendingRequests.size > 0,
  };
  return Object.entries(isDone).flatMap(([what, done]) => (done ? [] : [what]));
}

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
  await sealAsIs(rig.database, shortOf(client.workspaceId));
}

export const moneyFaults = [moneyKilled];
