import { once } from 'node:events';
import { Agent } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeBadRequest, sendBadRequest } from '../bad-requests.ts';
import type { Client } from '../client.ts';
import { comeAgain } from '../come-again.ts';
import type { Fault, Stage } from '../fault.ts';
import { inParallel } from '../in-parallel.ts';
import { hung, type Journal } from '../journal.ts';
import { startLoad } from '../load.ts';
import { watchMemory } from '../recovery.ts';

/** How long another client's request may take during the attack. */
const honestMs = 3_000;
const mebibyte = 1024 * 1024;

const pipelining: Fault = {
  name: 'pipelining',
  what: 'thousands of requests on one connection, and on many, without a credential; nobody else gets a 5xx or waits',
  needsQuiet: true,
  async run(stage) {
    const { rig, journal, random, long } = stage;
    const { pid } = await rig.start('all');
    journal.rules.maxMs = honestMs * journal.patience;
    const stopWatching = watchMemory(journal, pid, 500);
    const load = startLoad(stage, random);
    const [onOne, connections, onEach] = long ? [20_000, 200, 100] : [2_000, 100, 50];
    for (let round = 0; round < (long ? 10 : 1); round++) {
      await load.accepted(5);
      for (const path of ['/health/ready', '/metrics', '/openapi.json', '/nothing', '/api/v1/orders'])
        journal.require((await flood(rig.url, path, onOne)) > 0, `No request of a flood at ${path} was answered.`);
      const answers = await Promise.all(
        Array.from({ length: connections }, () => flood(rig.url, random.pick(['/health/ready', '/metrics']), onEach)),
      );
      journal.require(Math.max(...answers) > 0, 'No request of a flood on many connections was answered.');
    }
    await load.accepted(5);
    await load.stop();
    stopWatching();
    requireNoFailure(journal);
    return undefined;
  },
};

const floodMs = 5_000;

/** Sends all requests at once on one connection, and reads answers for a while. Returns how many came. */
async function flood(url: string, path: string, count: number): Promise<number> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  await once(socket, 'connect');
  let received = 0;
  const closed = once(socket, 'close');
  const isDone = new Promise<void>((resolve) => {
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1').split('HTTP/1.1 ').length - 1;
      if (received >= count) resolve();
    });
  });
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(count));
  await Promise.race([isDone, closed, sleep(floodMs)]);
  socket.destroy();
  return received;
}

const heavyBodies: Fault = {
  name: 'heavy-bodies',
  what: 'bodies that are made to be slow to read, several at a time; nobody else gets a 5xx or waits',
  needsQuiet: true,
  async run(stage) {
    const { rig, client, journal, random, long } = stage;
    const { pid } = await rig.start('all');
    journal.rules.maxMs = honestMs * journal.patience;
    const stopWatching = watchMemory(journal, pid, 1_000);
    // Made before the load begins: making them takes as long as reading them.
    const heavy = makeHeavy();
    const load = startLoad(stage, random);
    await load.accepted(5);
    const ends = Date.now() + 120_000;
    // Where the list begins is random; each of them has its turn.
    const first = random.int(0, heavy.length - 1);
    let [sent, answered] = [0, 0];
    const isOver = () => client.isClosed || (long ? Date.now() > ends : sent >= heavy.length);
    const senders = Array.from({ length: 4 }, async () => {
      while (!isOver())
        if (await sendHeavy(client, heavy[(first + sent++) % heavy.length] as Heavy, journal)) answered++;
    });
    await Promise.all(senders);
    journal.require(answered >= sent / 2, `Only ${answered} of ${sent} heavy bodies were answered.`);
    await load.accepted(5);
    await load.stop();
    stopWatching();
    requireNoFailure(journal);
    return undefined;
  },
};

const filler = (text: string, bytes: number) => text.repeat(Math.floor(bytes / text.length));
const keys = (count: number, length: number) =>
  Array.from({ length: count }, (_, nth) => `"${String(nth).padStart(length, 'k')}":1`).join(',');

type Heavy = [path: string, body: string, method?: string];

/** None is a valid order or user, so all must be refused. */
const makeHeavy = (): Heavy[] => [
  ['/api/v1/orders', `{"x":[${filler('1,', 15 * mebibyte)}1.23456789012345678]}`],
  ['/api/v1/orders', `{"x":[${filler('1.2345678901234567,', mebibyte)}1]}`],
  ['/api/v1/orders', `{${keys(55_000, 200)}}`],
  ['/api/v1/orders', `{${keys(55_000, 6)},"kkkkk0":1}`],
  ['/api/v1/orders', `{"x":"${filler('\\"', 15 * mebibyte)}"}`],
  ['/api/v1/orders', `{"currency":"CAD","orderItems":[{"message":"${filler('\\u00e9', 15 * mebibyte)}"}]}`],
  ['/api/v1/orders', filler(' ', 15 * mebibyte)],
  ['/api/v1/orders', filler('{"a":', 15 * mebibyte)],
  ['/api/v1/shoutouts', `{${keys(9_000, 20)}}`],
  ['/scim/v2/Users', `{${keys(1_500_000, 6)}}`],
  ['/scim/v2/Users', `{${keys(9_000, 90)}}`],
  ['/scim/v2/Groups/999999999', `{"Operations":[{"op":"add","value":{${keys(55_000, 6)}}}]}`, 'PATCH'],
];

/** Returns whether there was an answer. */
async function sendHeavy(client: Client, [path, body, method = 'POST']: Heavy, journal: Journal): Promise<boolean> {
  const answer = await fetch(client.url + path, { method, headers: client.headers('heavy'), body }).then(
    async (response) => ({ status: response.status, text: await response.text() }),
    // A body that is refused before its end may break the connection off.
    () => null,
  );
  if (answer === null) return false;
  // Large bodies are read one after the other; one that would wait too long for its turn is told to come again.
  const isRefused = (answer.status >= 400 && answer.status < 500) || answer.status === 503;
  journal.require(isRefused, `A heavy body at ${path} got ${answer.status}.`);
  return true;
}

/** Few enough that none is refused because the database is busy. */
const lanes = 8;

const badRequests: Fault = {
  name: 'bad-requests',
  what: 'a volley of random bad requests, a million of them with --long; each is refused, none with a 5xx',
  async run(stage: Stage) {
    const { rig, client, journal, random, long, scope } = stage;
    await rig.start('all');
    const agent = new Agent({ keepAlive: true, maxSockets: lanes });
    await scope.defer(async () => agent.destroy());
    let [sent, failures] = [0, 0];
    await inParallel(Array.from({ length: lanes }), lanes, async () => {
      while (sent < (long ? 1_000_000 : 1_500) && !client.isClosed) {
        const bad = makeBadRequest(random.fork(`request ${sent++}`), client);
        const send = async () => {
          const got = await sendBadRequest(rig.url, agent, bad, journal.hungAfterMs);
          journal.count(got);
          return got;
        };
        const answer = await comeAgain(journal, await send(), send);
        const isRefused = answer.lost === null ? answer.status >= 400 && answer.status < 500 : answer.lost !== hung;
        if (!isRefused && failures++ < 20)
          journal.violated(
            `${bad.method} ${bad.path} got ${answer.lost ?? answer.status} for ${String(bad.body).slice(0, 200)}: ${answer.text.slice(0, 200)}`,
          );
      }
    });
    journal.require(failures < 20, `${failures} bad requests were not refused.`);
    requireNoFailure(journal);
    return undefined;
  },
};

/** On a shared machine one in a hundred may get a 503. */
function requireNoFailure(journal: Journal): void {
  const mayBeBusy = journal.patience > 1 ? Math.ceil(journal.sent / 100) : 0;
  for (const [status, count] of journal.statuses())
    if (/^5/.test(status) && (status !== '503' || count > mayBeBusy))
      journal.violated(`${count} honest requests were answered ${status}.`);
}

export const abuseFaults = [pipelining, heavyBodies, badRequests];
