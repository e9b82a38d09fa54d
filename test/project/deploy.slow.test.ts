import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { Agent, request } from 'undici';
import packageJson from '../../package.json' with { type: 'json' };
import { maxFileBytes } from '../../src/doors/http/areas/api/member-import.ts';
import { maxBodyBytes } from '../../src/doors/http/areas/api/orders.ts';
import { parseNetwork } from '../../src/ground/values/network.ts';
import { cleanUp } from '../support/cleanup.ts';
import { aGift, anOrder } from '../support/orders.ts';
import { projectDir } from '../support/process.ts';
import { type StartProxy, startCaddy, startHaproxy, startNginx } from '../support/reverse-proxy.ts';
import { startService } from '../support/service.ts';
import { isInstalled } from '../support/system.ts';

const read = (file: string) => readFileSync(join(projectDir, file), 'utf8');
const without = (command: string) => !isInstalled(command) && `there is no ${command} on this machine`;
const proxies: Record<string, StartProxy> = { nginx: startNginx, caddy: startCaddy, haproxy: startHaproxy };
/** The longest is 30, which takes long to see. */
const waitSeconds = Number(process.env.GIFTWIRE_TEST_WAIT ?? 2);
const dispatcher = new Agent({ connect: { rejectUnauthorized: false } });
cleanUp(() => dispatcher.close());

/** HAProxy closes the visitor's connection after its 413, and where the service closed its own: this client then sees no response. */
const lingers = (name: string) => name !== 'haproxy';

for (const [name, start] of Object.entries(proxies)) {
  test(`behind ${name} with our example, large orders and waiting requests pass, and what is not for visitors does not`, {
    skip: without(name),
  }, async () => {
    const service = await startService({
      // Nothing here waits for gifts.
      role: 'api',
      trustedProxies: [parseNetwork('127.0.0.1/32')].filter((one) => one !== null),
    });
    const counted = await countConnections(new URL(service.url));
    const url = await start(counted.address);
    const headers = { Authorization: `Bearer ${service.token}`, 'X-Workspace-id': String(service.workspaceId) };
    const call = (path: string, options = {}) => request(url + path, { dispatcher, headers, ...options });

    const body = JSON.stringify(anOrder({ orderItems: Array.from({ length: 1_000 }, (_, nth) => longGift(nth)) }));
    assert.ok(Buffer.byteLength(body) > 4_000_000);
    const json = { ...headers, 'Content-Type': 'application/json' };
    const created = await call('/api/v1/orders', { method: 'POST', headers: json, body });
    assert.equal(created.statusCode, 201, await created.body.text());
    if (lingers(name)) {
      const body = 'x'.repeat(16.5 * 2 ** 20);
      const tooLarge = await call('/api/v1/orders', { method: 'POST', headers: json, body });
      assert.equal(tooLarge.statusCode, 413);
      assert.deepEqual(Object.keys((await tooLarge.body.json()) as object), ['status', 'message', 'type']);
    }

    for (const path of ['/metrics', '/health', '/health/ready', '/health/live'])
      assert.equal(await call(path).then(({ body, statusCode }) => body.dump().then(() => statusCode)), 404, path);
    const waited = await call(`/api/v1/events?types=shoutout.declined&wait=${waitSeconds}`);
    assert.equal(waited.statusCode, 200, await waited.body.text());
    assert.ok(waited.headers['strict-transport-security']);

    const before = counted.connections();
    for (let nth = 0; nth < 20; nth++) await (await call('/api/v1/reports/teams/activity?size=1')).body.dump();
    assert.ok(counted.connections() - before < 5, 'connections to the service are kept');

    await service.stop();
    if (!lingers(name)) return;
    const away = await call('/api/v1/reports/teams/activity');
    assert.equal(away.headers['retry-after'], '5');
    assert.equal(((await away.body.json()) as { status: number }).status, 503);
  });
}

for (const [name, start] of Object.entries(proxies)) {
  test(`behind ${name} with our example, the largest file of people passes and may take its time, with the headers of every other request`, {
    skip: without(name),
  }, async () => {
    const url = await start(await startSlowEcho(), true);
    const headers = { 'Content-Type': 'text/csv', 'X-Forwarded-For': '192.0.2.7', Connection: 'keep-alive' };
    const call = async (path: string, bytes: number) => {
      const body = Buffer.alloc(bytes, 'x');
      const answer = await request(url + path, { dispatcher, method: 'POST', headers, body });
      return { status: answer.statusCode, ...((await answer.body.json()) as Echo) };
    };
    const imported = await call('/api/v1/members/import?dryRun=true&slow', maxFileBytes);
    assert.deepEqual([imported.status, imported.bytes], [200, maxFileBytes]);
    const ordered = await call('/api/v1/orders', maxBodyBytes);
    assert.deepEqual([ordered.status, ordered.bytes], [200, maxBodyBytes]);
    assert.ok(!imported.headers['x-forwarded-for']?.includes('192.0.2.7'), imported.headers['x-forwarded-for']);
    const { 'content-length': _, ...others } = ordered.headers;
    assert.deepEqual(imported.headers, { ...others, 'content-length': String(maxFileBytes) });
    for (const [path, bytes] of [
      ['/api/v1/members/import?dryRun=true', maxFileBytes],
      ['/api/v1/orders', maxBodyBytes],
    ] as const) {
      if (!lingers(name)) continue;
      const { status, message } = await call(path, bytes + 1);
      assert.equal(status, 413, path);
      assert.equal(message, 'the body is too large: a file of people may have 24 MiB, an order 16 MiB');
    }
    // Else this test would show nothing about their time limits.
    if (name !== 'caddy') assert.equal((await call('/api/v1/members?slow', 1)).status, name === 'nginx' ? 503 : 504);
  });
}

interface Echo {
  bytes: number;
  headers: Record<string, string | undefined>;
  message?: string;
}

/** In place of the service: says what it has got, after three seconds where the address asks for that. */
async function startSlowEcho(): Promise<string> {
  const server = createHttpServer(async (asked, response) => {
    let bytes = 0;
    for await (const piece of asked) bytes += piece.length;
    if (asked.url?.includes('slow')) await setTimeout(3_000);
    response.end(JSON.stringify({ bytes, headers: asked.headers }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanUp(async () => {
    server.closeAllConnections();
    server.close();
  });
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** The longest message, in characters of four bytes. */
function longGift(nth: number) {
  return aGift({ message: '🎁'.repeat(1_000), recipient: { email: `person${nth}@example.com` } });
}

async function countConnections({ hostname, port }: URL) {
  let connections = 0;
  const server = createServer((from) => {
    connections++;
    const to = connect(Number(port), hostname);
    for (const [one, other] of [
      [from, to],
      [to, from],
    ] as const) {
      one.pipe(other);
      one.on('error', () => other.destroy());
      one.on('close', () => other.destroy());
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanUp(async () => server.close());
  return { address: `127.0.0.1:${(server.address() as AddressInfo).port}`, connections: () => connections };
}

test('systemd finds nothing wrong with the unit, and little exposed', { skip: without('systemd-analyze') }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'giftwire-unit-'));
  try {
    const unit = join(folder, 'giftwire.service');
    // Giftwire is not installed at that place here.
    writeFileSync(unit, read('deploy/giftwire.service').replace(/^(ExecStart=)\S+/m, '$1/bin/true'));
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', unit], { encoding: 'utf8' });
    assert.deepEqual({ status, stderr }, { status: 0, stderr: '' });
    const said = execFileSync('systemd-analyze', ['security', '--offline=true', '--no-pager', unit], {
      encoding: 'utf8',
    });
    assert.ok(Number(/exposure level for \S+: ([\d.]+)/.exec(said)?.[1]) <= 4, said);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('docs/deploy.md copies the unit from where npm has put it', () => {
  const [, unit = ''] = /^cp \/opt\/giftwire\/node_modules\/giftwire\/(\S+) /m.exec(read('docs/deploy.md')) ?? [];
  assert.ok(
    packageJson.files.includes('deploy') && unit.startsWith('deploy/') && existsSync(join(projectDir, unit)),
    unit,
  );
});
