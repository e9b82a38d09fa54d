import { setTimeout as sleep } from 'node:timers/promises';
import { verifyAudit } from '../../../src/company/workspaces/audit-verify.ts';
import { within } from '../../support/eventually.ts';
import { findTraces } from '../../support/traces.ts';
import type { Fault, Stage } from '../fault.ts';
import { inParallel } from '../in-parallel.ts';
import { startLoad } from '../load.ts';

const erasedWithinMs = 40_000;
/** People who are erased between two kills. */
const group = 25;
/** What stands in all their names, addresses, numbers and texts, and nowhere else. */
const mark = 'vornaqu';

const erasuresKilled: Fault = {
  name: 'erasures-killed',
  what: 'workers and API are killed while people of one workspace are erased and another one orders; everyone is erased completely, and the audit log stays provable',
  async run(stage) {
    const { rig, client, journal, random, long } = stage;
    const workspaceId = client.workspaceId + 1;
    let [api, ...workers] = await Promise.all([rig.start('api'), rig.start('worker'), rig.start('worker')]);
    const strikes = long ? 12 : 4;
    const people = await addPeople(stage, workspaceId, strikes * group);
    journal.rules.mayBeLost = true;
    const load = startLoad(stage, random.fork('load'), { clients: 4, pauseMs: 60 });
    for (let strike = 0; strike < strikes; strike++) {
      await askForErasure(stage, workspaceId, people.splice(0, group));
      await sleep(random.int(0, 1_500));
      if (strike % 4 === 3) {
        await api.end('SIGKILL');
        api = await rig.start('api');
      } else {
        const victim = strike % 2;
        await workers[victim]?.end('SIGKILL');
        workers[victim] = await rig.start('worker');
      }
    }
    await within(
      erasedWithinMs * journal.patience,
      async () => (await countErasures(stage, workspaceId, `state <> 'DONE'`)) === 0,
    );
    await load.stop();
    const done = await countErasures(stage, workspaceId, `state = 'DONE'`);
    journal.require(done === strikes * group, `${done} of ${strikes * group} people were erased.`);
    for (const { table, row } of await findTraces(rig.database, [mark]))
      journal.violated(`${table} still names an erased person: ${row.slice(0, 200)}`);
    for (const { problem } of (await verifyAudit(rig.database, workspaceId, [])).faults)
      journal.violated(`The audit log has a problem: ${problem}`);
    return undefined;
  },
};

/** People with a shoutout that names them. */
async function addPeople({ client }: Stage, workspaceId: number, count: number): Promise<number[]> {
  const ids: number[] = [];
  await inParallel(
    Array.from({ length: count }, (_, nth) => nth),
    4,
    async (nth) => {
      const email = `${mark}.${nth}@example.org`;
      const body = { email, employeeNumber: `${mark}-${nth}`, firstName: `${mark}${nth}`, lastName: 'Person' };
      const { text } = await client.send('POST', '/api/v1/members', [201], { body, workspaceId });
      const shoutout = { recipient: { email }, message: `Well done, ${mark}${nth}!` };
      await client.send('POST', '/api/v1/shoutouts', [201], { body: shoutout, workspaceId });
      ids.push(JSON.parse(text).id);
    },
  );
  return ids;
}

/** Asks for it, and lets the day pass in which it could be stopped. */
async function askForErasure({ client, rig }: Stage, workspaceId: number, people: readonly number[]): Promise<void> {
  for (const id of people) await client.send('POST', `/api/v1/members/${id}/erasure`, [200], { workspaceId });
  await rig.database.query(
    `update erasures set due_at = now() where workspace_id = $1 and member_id = any($2::bigint[]) and state = 'WAITING'`,
    [workspaceId, people],
  );
}

async function countErasures({ rig }: Stage, workspaceId: number, where: string): Promise<number> {
  const sql = `select count(*)::int as count from erasures where workspace_id = $1 and ${where}`;
  const [row] = await rig.database.query<{ count: number }>(sql, [workspaceId]);
  return row?.count ?? 0;
}

export const rightsFaults = [erasuresKilled];
