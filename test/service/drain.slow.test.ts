import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { Agent, request } from 'undici';
import { freePort } from '../../bench/programs.ts';
import { cleanUp } from '../support/cleanup.ts';
import type { Env } from '../support/commands-in-turn.ts';
import { eventually } from '../support/eventually.ts';
import { anOrder } from '../support/orders.ts';
import { type Process, serve } from '../support/process.ts';
import { startCaddy, startHaproxy, startNginx } from '../support/reverse-proxy.ts';
import { startService } from '../support/service.ts';
import { isInstalled } from '../support/system.ts';

const restarts = 10;
const perSecond = 60;
const tokenKey = 'a key of the nodes that are restarted in turns';
const proxies = { haproxy: startHaproxy, nginx: startNginx, caddy: startCaddy };
const installed = Object.entries(proxies).filter(([name]) => isInstalled(name));
const missing = Object.keys(proxies).filter((name) => !isInstalled(name));

const { database, token, workspaceId } = await startService({ tokenKey, role: 'worker' });
const dispatcher = new Agent({ connect: { rejectUnauthorized: false }, connections: 20 });
cleanUp(() => dispatcher.close());
const headers = {
  Authorization: `Bearer ${token}`,
  'X-Workspace-id': String(workspaceId),
  'Content-Type': 'application/json',
};
const node = (env: Env) =>
  serve({
    DATABASE_URL: database.url,
    GIFTWIRE_TOKEN_KEY: tokenKey,
    GIFTWIRE_SMTP_URL: 'off',
    GIFTWIRE_DEMO: '0',
    GIFTWIRE_ROLE: 'api',
    ...env,
  });

/** Sends orders at a steady pace until it is stopped. Returns how many there were, and what else than a 201 came back. */
function order(url: string) {
  const problems: string[] = [];
  const sent: Promise<void>[] = [];
  const send = async () => {
    const keyed = { ...headers, 'Idempotency-Key': randomUUID() };
    const options = { dispatcher, method: 'POST', headers: keyed, body: JSON.stringify(anOrder()) } as const;
    const outcome = await request(`${url}/api/v1/orders`, options).then(
      async ({ statusCode, body }) =>
        `${statusCode} ${statusCode === 201 ? void (await body.dump()) : await body.text()}`,
      (error: Error) => error.message,
    );
    if (!outcome.startsWith('201')) problems.push(outcome);
  };
  const timer = setInterval(() => sent.push(send()), 1_000 / perSecond);
  cleanUp(async () => clearInterval(timer));
  return async () => {
    clearInterval(timer);
    await Promise.all(sent);
    return { sent: sent.length, problems };
  };
}

/** How many orders a node has accepted since its start. */
async function countOrders({ url }: Process): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  return Number(/^giftwire_orders_accepted_total (\d+)$/m.exec(metrics)?.[1] ?? 0);
}

test('a node that gets SIGTERM is unready at once, serves new connections until its time is over, and closes each after a response', async () => {
  const { url, end, output } = await node({ GIFTWIRE_DRAIN_SECONDS: '3' });
  const idle = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => {});
  await once(idle, 'connect');
  assert.equal((await fetch(`${url}/health/ready`)).status, 200);
  const ended = end('SIGTERM');
  const ready = await eventually(
    () => fetch(`${url}/health/ready`),
    ({ status }) => status === 503,
  );
  assert.deepEqual(((await ready.json()) as { checks: unknown }).checks, { stop: { ok: false, detail: 'under way' } });
  assert.equal((await fetch(`${url}/health/live`)).status, 200);
  const answer = await fetch(`${url}/api/v1/orders`, { method: 'POST', headers, body: JSON.stringify(anOrder()) });
  assert.equal(answer.status, 201);
  assert.equal(answer.headers.get('connection'), 'close');
  idle.write(`GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n`);
  assert.match(String((await once(idle, 'data'))[0]), /^HTTP\/1.1 200 .*\r\nconnection: close\r\n/is);
  await once(idle, 'close');
  assert.equal((await ended).code, 0);
  assert.match(output(), /Draining.*\n.*Stopping.*\n.*Stopped/s);
});

test('Ctrl-C does not wait, also while a node drains', async () => {
  for (const first of ['SIGINT', 'SIGTERM'] as const) {
    const { url, end, pid } = await node({ GIFTWIRE_DRAIN_SECONDS: '300' });
    const ended = end(first);
    if (first === 'SIGTERM') {
      await eventually(async () => (await fetch(`${url}/health/ready`)).status === 503);
      process.kill(pid, 'SIGINT');
    }
    assert.equal((await ended).code, 0);
  }
});

test(`behind ${installed.map(([name]) => name).join(', ')}, no order is rejected at ${perSecond} a second while two nodes are restarted in turns, ${restarts} times`, {
  skip: installed.length === 0 && 'there is no HAProxy, nginx or Caddy on this machine',
  timeout: 600_000,
}, async (t) => {
  for (const name of missing) t.diagnostic(`skipped for ${name}: it is not installed on this machine`);
  const ports = [await freePort(), await freePort()];
  // The default in production.
  const start = (port: number) => node({ PORT: String(port), GIFTWIRE_DRAIN_SECONDS: '5' });
  const nodes: Process[] = [];
  for (const port of ports) nodes.push(await start(port));
  const upstreams = ports.map((port) => `127.0.0.1:${port}`).join(' ');
  const urls = new Map<string, string>();
  for (const [name, startProxy] of installed) urls.set(name, await startProxy(upstreams));
  for (const url of urls.values())
    await eventually(async () => (await request(`${url}/docs`, { dispatcher })).statusCode < 500);

  const streams = [...urls].map(([name, url]) => ({ name, stop: order(url) }));
  for (let nth = 0; nth < restarts; nth++) {
    const which = nth % 2;
    const { code } = await (nodes[which] as Process).end('SIGTERM');
    assert.equal(code, 0);
    nodes[which] = await start(ports[which] as number);
    // Every proxy has noticed that it is back, before the other one goes.
    await eventually(async () => (await countOrders(nodes[which] as Process)) > 100);
  }
  for (const { name, stop } of streams) {
    const { sent, problems } = await stop();
    t.diagnostic(`${name}: ${sent} orders, ${problems.length} problems`);
    assert.deepEqual(problems, [], name);
    assert.ok(sent > restarts * perSecond, `${sent} orders`);
  }
});
