import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { folderForClusters } from '../../support/cluster-folder.ts';
import { within } from '../../support/eventually.ts';
import type { Random } from '../../support/random.ts';
import { familyOf, signal } from '../../support/system.ts';
import { makeFolder } from '../cluster.ts';
import type { Fault, Stage } from '../fault.ts';
import { seconds } from '../journal.ts';
import { sendOrders } from '../load.ts';
import { randomOrder } from '../orders.ts';

const root = join(import.meta.dirname, '../../..');
const readyWithinMs = 30_000;
const completedWithinMs = 10_000;

/** A start of the service on an embedded PostgreSQL, as `npm start` in a fresh checkout. */
interface Start {
  child: ChildProcess;
  output(): string;
  isOver(): boolean;
}

type Quarters = [number, number, number, number];
type Shown = Record<'address' | 'token', string | undefined>;

const firstStartKilled: Fault = {
  name: 'first-start-killed',
  what: 'the first start is killed at any moment, alone or with its children, once or several times; the next one serves',
  async run(stage) {
    const { rig, client, journal, random, long } = stage;
    const untouched = join(await makeFolder(stage.scope, folderForClusters()), 'data');
    const fullMs = (await expectService(stage, untouched, 'no kill at all', [])) ?? readyWithinMs;
    // The seed chooses which are killed with their children, and both kinds have their turn.
    let withChildren = random.chance(0.5);
    for (const moments of long ? manyKills(random, fullMs) : fewKills(random, fullMs)) {
      const dataDir = join(await makeFolder(stage.scope, folderForClusters()), 'data');
      const shown: Shown[] = [];
      for (const ms of moments) {
        shown.push(await killAfter(stage, dataDir, ms, withChildren));
        withChildren = !withChildren;
      }
      const story = `kills after ${moments.map((ms) => seconds(ms)).join(', ')}`;
      await expectService(stage, dataDir, story, shown);
    }
    // Its orders are checked as those of every other fault are.
    await rig.start('all');
    const sent = await sendOrders(client, random.fork('orders'), 20, (own) =>
      randomOrder(own, { people: 10, maxGifts: 2 }),
    );
    journal.require(sent.length === 20, 'Not every order was sent.');
    return undefined;
  },
};

/** The moments of the kills in each folder. They are spread over the whole start, so that no run leaves out a part of it. */
function manyKills(random: Random, fullMs: number): number[][] {
  const folders = 40;
  return Array.from({ length: folders }, (_, nth) => {
    const moments = [((nth + random.next()) / folders) * fullMs];
    while (random.chance(0.4)) moments.push(random.next() * fullMs);
    return moments;
  });
}

/** One in each quarter of the start, in two folders. */
function fewKills(random: Random, fullMs: number): number[][] {
  const [first, second, third, fourth] = [0, 1, 2, 3].map((nth) => ((nth + random.next()) / 4) * fullMs) as Quarters;
  return random.pick([
    [[first], [second, fourth, third]],
    [
      [first, third],
      [second, fourth],
    ],
    [[first, fourth, second], [third]],
  ]);
}

/** Each start finds unfinished clusters of the previous version, one named after its own process id. */
async function start({ scope }: Stage, dataDir: string): Promise<Start> {
  const script =
    'mkdir -p "$GIFTWIRE_DATA_DIR/postgres.new-$$/base" "$GIFTWIRE_DATA_DIR/postgres.new-1"; exec "$0" "$@"';
  await mkdir(dataDir, { recursive: true, mode: 0o711 });
  const child = spawn('sh', ['-c', script, process.execPath, 'bin/giftwire.js', 'serve'], {
    cwd: root,
    env: { ...environment(dataDir), PORT: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  await scope.defer(() => endAll(child, dataDir));
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk) => {
      text += chunk;
    });
  return { child, output: () => text, isOver: () => child.exitCode !== null || child.signalCode !== null };
}

function environment(dataDir: string): Record<string, string> {
  return {
    PATH: process.env.PATH ?? '',
    HOME: process.env.HOME ?? tmpdir(),
    NODE_COMPILE_CACHE: join(tmpdir(), 'giftwire-test-cache'),
    NODE_OPTIONS: process.env.NODE_OPTIONS ?? '',
    GIFTWIRE_DATA_DIR: dataDir,
  };
}

async function killAfter(stage: Stage, dataDir: string, ms: number, withChildren: boolean): Promise<Shown> {
  const { child, output, isOver } = await start(stage, dataDir);
  await Promise.race([sleep(ms), once(child, 'exit')]);
  stage.journal.require(!isOver(), `A first start ended before it was killed: ${output().slice(-300)}`);
  const server = withChildren ? await postmasterOf(dataDir) : null;
  const victims = withChildren ? [...familyOf(child.pid as number), ...(server ? familyOf(server) : [])] : [child.pid];
  for (const pid of victims) if (pid) signal(pid, 'SIGKILL');
  if (!isOver()) await once(child, 'exit');
  return shownBy(output());
}

/** Ready, with a demo whose token works, and stopped when it is asked to. Returns how long it took to be ready. */
async function expectService(stage: Stage, dataDir: string, story: string, before: Shown[]): Promise<number | null> {
  const { journal } = stage;
  const began = Date.now();
  const { child, output, isOver } = await start(stage, dataDir);
  const isReady = () => output().includes('Giftwire is ready.') && output().endsWith('}\n');
  await within(readyWithinMs * journal.patience, async () => isReady() || isOver());
  const readyMs = Date.now() - began;
  if (!isReady()) {
    journal.violated(`No start after ${story}: ${output().slice(-300)}`);
    return null;
  }
  const { address } = shownBy(output());
  // A start that was killed after it made the demo may have taken the token with it: it is shown once.
  const token = [shownBy(output()), ...before].find((one) => one.token)?.token ?? (await makeToken(dataDir));
  const completed = await within(completedWithinMs * journal.patience, () => orderCompletes(address as string, token));
  journal.require(completed, `The demo does not complete an order after ${story}.`);
  child.kill('SIGTERM');
  if (!isOver()) await once(child, 'exit');
  journal.require(child.exitCode === 0, `The service exited with ${child.exitCode} after ${story}.`);
  const folders = await readdir(dataDir);
  journal.require(folders.includes('token-key') && folders.includes('postgres'), `Files are missing after ${story}.`);
  return readyMs;
}

function shownBy(output: string): Shown {
  const line = output.split('\n').find((one) => one.includes('Giftwire is ready.') && one.endsWith('}'));
  return line ? JSON.parse(line) : { address: undefined, token: undefined };
}

async function makeToken(dataDir: string): Promise<string> {
  const args = ['bin/giftwire.js', 'token', 'create', '--workspace', '1', '--name', 'After a kill'];
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: environment(dataDir),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.on('data', (chunk) => {
    text += chunk;
  });
  await once(child, 'close');
  return /gw_test_[0-9A-Za-z]+/.exec(text)?.[0] ?? '';
}

async function orderCompletes(url: string, token: string): Promise<boolean> {
  const headers = { Authorization: `Bearer ${token}`, 'X-Workspace-id': '1', 'Content-Type': 'application/json' };
  const gift = { message: 'Thank you!', amount: 25, recipient: { email: 'ada@example.com' } };
  const order = { currency: 'CAD', orderItems: [gift] };
  const created = await fetch(`${url}/api/v1/orders`, { method: 'POST', headers, body: JSON.stringify(order) });
  const { requestId } = (await created.json()) as { requestId?: string };
  if (created.status !== 201) return false;
  return within(5_000, async () => {
    const found = await fetch(`${url}/api/v1/orders/status/${requestId}`, { headers });
    return ((await found.json()) as { requestStatus: string }).requestStatus === 'COMPLETED';
  });
}

async function postmasterOf(dataDir: string): Promise<number | null> {
  const text = await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8').catch(() => '');
  return Number(text.split('\n')[0]) || null;
}

/** The server outlives a killed service, so it is ended here before its folder is removed. */
async function endAll(child: ChildProcess, dataDir: string): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
  const server = await postmasterOf(dataDir);
  if (server !== null && server !== process.pid) signal(server, 'SIGQUIT');
}

export const firstStartFaults = [firstStartKilled];
