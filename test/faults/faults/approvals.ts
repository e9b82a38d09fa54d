import { setTimeout as sleep } from 'node:timers/promises';
import { Approvals } from '../approvals.ts';
import type { Fault } from '../fault.ts';
import { root } from '../rig.ts';

const approvalsKilled: Fault = {
  name: 'approvals-killed',
  what: 'API and workers are killed while orders that draw on a budget wait for approval, two approvers decide them at once, and others expire; each order is decided once, those of a batch together, no order is fulfilled without an approval, and all other money returns',
  async run(stage) {
    const { rig, journal, random, long } = stage;
    let [api, worker] = await Promise.all([rig.start('api'), rig.start('worker')]);
    journal.rules.mayBeLost = true;
    const approvals = await Approvals.open(stage, root);
    for (let strike = 0; strike < (long ? 12 : 4); strike++) {
      await sleep(random.int(300, 1_200));
      await approvals.letSomeExpire();
      if (strike % 2 === 0) {
        await api.end('SIGKILL');
        api = await rig.start('api');
      } else {
        await worker.end('SIGKILL');
        worker = await rig.start('worker');
      }
    }
    await approvals.end({ decidesTogether: true });
    return undefined;
  },
};

export const approvalFaults = [approvalsKilled];
