import { setTimeout as sleep } from 'node:timers/promises';
import { webhookLeaseSeconds } from '../../../src/company/events/webhooks/claim.ts';
import { within } from '../../support/eventually.ts';
import { signal } from '../../support/system.ts';
import { checkEvents, Reader } from '../event-log.ts';
import type { Fault, Stage } from '../fault.ts';
import { startLoad } from '../load.ts';
import { failsNowAndThen, hanging, healthy, Receiver } from '../receivers.ts';
import type { Program } from '../rig.ts';

const databaseBackWithinMs = 40_000;
// Longer than a delivery may take, so that the posts under way have timed out when the worker goes on.
const [workerStoppedMs, otherStoppedMs] = [17_000, 3_500];
const poisoned = '7';
const reason = 'this gift is poisoned';

/** Orders with a certain message fail, so that the log has failures too. */
async function poisonSome({ rig, journal }: Stage): Promise<void> {
  const isPoisoned = (message: string) => message.endsWith(poisoned.repeat(2));
  journal.failureOf = ({ orderItems }) => (orderItems.some(({ message }) => isPoisoned(message)) ? reason : null);
  await rig.database.pool.query(
    `create function refuse_poison() returns trigger language plpgsql as
     $$ begin raise exception '${reason}'; end $$;
     create trigger poison before insert on certificates for each row
       when (new.message like '%${poisoned.repeat(2)}') execute function refuse_poison()`,
  );
}

interface Programs {
  api: Program;
  worker: Program;
}

const eventsKilled: Fault = {
  name: 'events-killed',
  what: 'API, worker and PostgreSQL are killed and stopped under load; the log has no gap, and every webhook its events',
  async run(stage) {
    const { rig, scope, client, journal, random, long } = stage;
    await poisonSome(stage);
    const [api, worker] = await Promise.all([rig.start('api'), rig.start('worker')]);
    const programs = { api, worker };
    const well = await Receiver.open(scope, client, healthy);
    const unwell = [
      await Receiver.open(
        scope,
        client,
        failsNowAndThen(() => random.chance(0.1)),
      ),
      await Receiver.open(scope, client, hanging),
    ];
    const reader = new Reader(client);
    Object.assign(journal.rules, { mayBeLost: true, maxMs: 10_000 * journal.patience });
    const load = startLoad(stage, random.fork('load'), { clients: 6, pauseMs: 200, slower: 2 });
    const count = long ? 16 : 6;
    // The seed chooses where it begins, and each kind has its turn.
    const first = random.int(0, strikes.length - 1);
    for (let nth = 0; nth < count; nth++) {
      await sleep(random.int(300, 1_500));
      await strikes[(first + nth) % strikes.length]?.(stage, programs);
      await within(databaseBackWithinMs * journal.patience, () => rig.databaseAnswers());
      if (nth === count >> 1) await well.rotate();
    }
    await load.accepted(long ? 50 : 10);
    await load.stop();
    await checkEvents(rig, client, reader, { well: [well], unwell });
    return undefined;
  },
};

const strikes: ((stage: Stage, programs: Programs) => Promise<void>)[] = [
  async ({ rig }, programs) => {
    await programs.worker.end('SIGKILL');
    programs.worker = await rig.start('worker');
  },
  async ({ cluster, client, random }) => {
    const all = await cluster.processes();
    const [postmaster, ...backends] = all;
    const victims = random.pick([[postmaster], [random.pick(backends)], all]);
    await client.busy();
    for (const pid of victims) if (pid) signal(pid, 'SIGKILL');
    await sleep(random.int(500, 2_000));
  },
  async ({ rig, client }, programs) => {
    await client.busy();
    await programs.api.end('SIGKILL');
    programs.api = await rig.start('api');
  },
  (_stage, { worker }) => stopFor([worker.pid], workerStoppedMs),
  async ({ cluster }) => stopFor(await cluster.processes(), otherStoppedMs),
  (_stage, { api }) => stopFor([api.pid], otherStoppedMs),
];

async function stopFor(pids: readonly number[], ms: number): Promise<void> {
  for (const pid of pids) signal(pid, 'SIGSTOP');
  await sleep(ms);
  for (const pid of pids) signal(pid, 'SIGCONT');
}

const webhookTakeover: Fault = {
  name: 'webhook-takeover',
  what: 'the node that delivers webhooks is killed; another one takes over when its lease ends, and nothing is lost',
  async run(stage) {
    const { rig, scope, client, journal, random, long } = stage;
    let [delivering] = await Promise.all([rig.start('worker'), rig.start('api')]);
    const slow = await Receiver.open(scope, client, (response) => {
      // Few events keep the node busy too.
      setTimeout(() => healthy(response), long ? 50 : 500);
      return true;
    });
    const reader = new Reader(client);
    const load = startLoad(stage, random.fork('load'), { clients: 4, pauseMs: 200 });
    const kills = long ? 4 : 1;
    for (let kill = 1; kill <= kills; kill++) {
      await load.accepted(long ? 30 : 10);
      const owner = await delivererOf(stage, slow);
      // The other node comes after the first has claimed the endpoint.
      const other = await rig.start('worker');
      await delivererOf(stage, slow, owner);
      await delivering.end('SIGKILL');
      const isHeld = (await readLease(stage, slow)) === owner;
      journal.require(isHeld, 'The node that was killed did not deliver at that moment.');
      // What waits for the lease to end is enough for the last one.
      if (kill === kills) await load.stop();
      const before = slow.taken.size;
      const goesOn = await within(
        (webhookLeaseSeconds + 15) * 1_000 * journal.patience,
        async () => slow.taken.size > before,
      );
      journal.require(goesOn, `Nobody took over from the node that delivered.`);
      delivering = other;
    }
    await checkEvents(rig, client, reader, { well: [slow], unwell: [] });
    return undefined;
  },
};

/** Waits until a node delivers to the endpoint, or this one does. Returns the node. */
async function delivererOf(stage: Stage, receiver: Receiver, awaited?: string | null): Promise<string | null> {
  let owner: string | null = null;
  const isLeased = await within(30_000 * stage.journal.patience, async () => {
    owner = await readLease(stage, receiver);
    return owner !== null && (awaited === undefined || owner === awaited);
  });
  stage.journal.require(isLeased, 'Nobody delivers, although there are events.');
  return owner;
}

/** The node that has claimed the endpoint; null if none has. */
async function readLease({ rig }: Stage, { id }: Receiver): Promise<string | null> {
  const [leased] = await rig.database.query<{ owner: string }>(
    'select lease_owner as owner from webhooks where id = $1 and lease_until > now()',
    [id],
  );
  return leased?.owner ?? null;
}

export const eventFaults = [eventsKilled, webhookTakeover];
