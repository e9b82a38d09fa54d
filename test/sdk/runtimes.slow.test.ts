import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { copyFileSync, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { Webhook as Signer } from 'standardwebhooks';
import { openClient } from '../support/client.ts';
import { startLossyProxy } from '../support/lossy-proxy.ts';
import { projectDir } from '../support/process.ts';
import { installBuilt } from '../support/sdk-package.ts';
import { startService } from '../support/service.ts';

/** The runtimes that the SDK is made for. Those that are not here are left out; npm run test:sdk-runtimes brings them. */
const promised = ['Node 20', 'Node 22', 'Node 24', 'Bun', 'Deno'];
const found = findRuntimes();

const service = await startService();
const { id, token, addPeople } = await openClient(service);
await addPeople(Array.from({ length: 5 }, (_, nth) => ({ email: `paged${nth}@example.com` })));
const folder = installBuilt();
copyFileSync(join(projectDir, 'test/support/sdk-program.js'), join(folder, 'program.js'));

for (const name of promised) {
  const command = found.get(name);
  const options = command ? {} : { skip: `no ${name} on this machine: npm run test:sdk-runtimes brings one` };
  test(`the SDK works on ${name}`, options, async () => {
    const { url: lossyUrl } = await startLossyProxy(service.url, 1);
    const given = { url: service.url, lossyUrl, token, workspace: id, webhook: aWebhook() };
    const { PATH = '', HOME = '' } = process.env;
    const env = { PATH, HOME, SDK_PROGRAM: JSON.stringify(given) };
    const before = await countOrders();
    const [file = '', ...args] = command as string[];
    const { stdout } = await promisify(execFile)(file, [...args, 'program.js'], { cwd: folder, env });
    assert.equal(stdout, 'everything holds\n');
    assert.equal(await countOrders(), before + 1, 'an answer was lost, and there is one order');
  });
}

async function countOrders(): Promise<number> {
  const counted = await service.database.query<{ count: number }>('select count(*)::int as count from order_requests');
  return counted[0]?.count as number;
}

function aWebhook() {
  const secret = `whsec_${Buffer.from('s'.repeat(32)).toString('base64')}`;
  const body = JSON.stringify({ id: 'evt_1_1', type: 'member.added', note: 'Zoë ♥' });
  const now = new Date();
  const headers = {
    'webhook-id': 'evt_1_1',
    'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
    'webhook-signature': new Signer(secret).sign('evt_1_1', now, body),
  };
  return { secret, body, headers };
}

/** The commands that run a program, by runtime: our own Node, those on the PATH, and those that a script has fetched. */
function findRuntimes(): Map<string, string[]> {
  const { PATH = '', SDK_RUNTIMES = '' } = process.env;
  const folders = [...SDK_RUNTIMES.split(delimiter), ...PATH.split(delimiter)].filter(Boolean);
  const here = (name: string) => folders.map((path) => join(path, name)).filter((path) => existsSync(path));
  const nodes = [process.execPath, ...here('node')].map((path) => [majorOf(path), [path]] as const);
  const others = [
    ...here('bun').map((path) => ['Bun', [path, 'run']] as const),
    ...here('deno').map((path) => ['Deno', [path, 'run', '--allow-net', '--allow-env']] as const),
  ];
  // The first one of a name is taken.
  return new Map<string, string[]>([...nodes, ...others].reverse().map(([name, command]) => [name, [...command]]));
}

function majorOf(node: string): string {
  return `Node ${Number.parseInt(execFileSync(node, ['-p', 'process.versions.node']).toString(), 10)}`;
}
