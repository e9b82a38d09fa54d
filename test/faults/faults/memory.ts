import { Agent } from 'node:http';
import { peakMegabytes } from '../../../bench/programs.ts';
import { createToken } from '../../../src/company/access/tokens.ts';
import { theService } from '../../../src/company/workspaces/audit.ts';
import type { Random } from '../../support/random.ts';
import { makeBadRequest, sendBadRequest } from '../bad-requests.ts';
import { tracedOf } from '../budgets.ts';
import type { Client } from '../client.ts';
import { type Fault, Skipped, type Stage } from '../fault.ts';
import { inParallel } from '../in-parallel.ts';
import { randomOrder } from '../orders.ts';

/** What docs/operate.md says of a process. */
const maxMegabytes = 700;
const requests = 200_000;
/** Several, because one caller alone may not fill the room for large bodies. */
const callers = 6;
const lanes = 48;
/** After so many requests, all lanes send large bodies at the same time. */
const burstEvery = 4_000;

const mixedRequests: Fault = {
  name: 'mixed-requests',
  what: '200,000 requests of every kind and size, with --long alone; the memory of the node stays below the limit of docs/operate.md',
  needsQuiet: true,
  async run(stage) {
    const { rig, journal, random, long } = stage;
    if (!long) throw new Skipped('it takes an hour, with --long');
    const { pid } = await rig.start('all');
    // A large body waits for its turn, and may be cut off where the machine is too busy to send it in time.
    journal.rules.maxMs = 30_000 * journal.patience;
    journal.rules.mayBeLost = true;
    const clients = await openCallers(stage);
    const agent = new Agent({ keepAlive: true });
    await stage.scope.defer(async () => agent.destroy());
    const mix = { agent, largest: makeLargest(), requestIds: [] };
    let sent = 0;
    await inParallel(Array.from({ length: lanes }), lanes, async () => {
      while (sent < requests && !stage.client.isClosed) {
        const nth = sent++;
        const sending = {
          ...mix,
          nth,
          client: clients[nth % callers] as Client,
          random: random.fork(`request ${nth}`),
        };
        await (nth % burstEvery < lanes ? sendLargest(sending) : sendAny(sending));
      }
    });
    const peak = Math.round(peakMegabytes(pid) ?? Number.POSITIVE_INFINITY);
    console.log(`  The node took at most ${peak} MB of memory.`);
    journal.require(peak < maxMegabytes, `The node took ${peak} MB of memory.`);
    return undefined;
  },
};

/** Callers in a workspace whose orders the journal does not keep: they would fill the memory of this program. */
async function openCallers({ rig, client, scope }: Stage): Promise<Client[]> {
  const rights = {
    name: null,
    scopes: ['orders:write', 'orders:read', 'reports:read'] as const,
    workspaces: [tracedOf(client.workspaceId)],
    lastsMs: null,
    rateLimitPerMinute: null,
  };
  const tokens = await rig.database.transaction(async (tx) => {
    const created: string[] = [];
    while (created.length < callers) created.push((await createToken(tx, theService, 'test', rights)).token);
    return created;
  });
  const clients = tokens.map((token) => client.as(token));
  await scope.defer(async () => {
    for (const one of clients) one.close();
  });
  return clients;
}

/** Orders of a thousand gifts with the longest messages, written in several ways: up to 12 MB. */
function makeLargest(): string[] {
  const gift = (nth: number, message: string) =>
    `{"message":"${message}","amount":1,"recipient":{"email":"largest.${nth}@example.com"}}`;
  return ['x', '\\u00e9', '\\ud83c\\udf81', 'é'].map((character) => {
    const gifts = Array.from({ length: 1_000 }, (_, nth) => gift(nth, character.repeat(1_000)));
    return `{"currency":"EUR","orderItems":[${gifts}]}`;
  });
}

interface Sending {
  client: Client;
  random: Random;
  agent: Agent;
  largest: string[];
  nth: number;
  /** Of the orders that were accepted. */
  requestIds: string[];
}

async function sendAny(sending: Sending): Promise<void> {
  const { client, random, agent, requestIds } = sending;
  const kind = random.next();
  const order = random.pick(requestIds.length > 0 ? requestIds : [crypto.randomUUID()]);
  const size = random.pick([1, 20, 1_000]);
  if (kind < 0.3) await create(sending, JSON.stringify(randomOrder(random, { people: 2_000, maxGifts: 3 })));
  else if (kind < 0.34) await create(sending, JSON.stringify(randomOrder(random, { people: 2_000, maxGifts: 100 })));
  else if (kind < 0.345) await sendLargest(sending);
  else if (kind < 0.55) await read(client, `/api/v1/orders/status/${order}`);
  else if (kind < 0.7) await read(client, `/api/v1/orders/${order}?size=${size}`);
  else if (kind < 0.8) await read(client, `/api/v1/reports/teams/activity?size=${size}&page=${random.int(0, 50)}`);
  else if (kind < 0.9) await read(client, `/api/v1/reports/members/last-recognized?size=${size}`);
  else await sendBadRequest(client.url, agent, makeBadRequest(random, client), client.journal.hungAfterMs);
}

const mebibyte = 1024 * 1024;

/** The largest valid order, or as many bytes that are none. */
async function sendLargest(sending: Sending): Promise<void> {
  const { client, random, nth, largest } = sending;
  if (random.chance(0.7)) return create(sending, random.pick(largest));
  const text = `{"x":[${'1,'.repeat(random.int(1, 25_000))}"${'y'.repeat(random.int(1, 15 * mebibyte))}"]}`;
  const workspaceId = tracedOf(client.workspaceId);
  await client.send('POST', '/api/v1/orders', [400, 408], { key: `wrong-${nth}`, text, workspaceId });
}

async function create({ client, nth, requestIds }: Sending, text: string): Promise<void> {
  const sent = { key: `mixed-${nth}`, text, workspaceId: tracedOf(client.workspaceId) };
  const answer = await client.send('POST', '/api/v1/orders', [201, 408], sent);
  if (answer.status === 201) requestIds.push((JSON.parse(answer.text) as { requestId: string }).requestId);
}

async function read(client: Client, path: string): Promise<void> {
  await client.send('GET', path, [200, 404], { workspaceId: tracedOf(client.workspaceId) });
}

export const memoryFaults = [mixedRequests];
