import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { eventually } from '../support/eventually.ts';
import { anOrder } from '../support/orders.ts';
import { startService } from '../support/service.ts';
import { openWorkspace } from '../support/workspace.ts';

const root = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const alerts = read('deploy/monitoring/alerts.yml');
const dashboard = read('deploy/monitoring/dashboard.json');
const service = await startService();

async function readMetrics(): Promise<string> {
  return (await service.call<string>('/metrics', { token: null, workspace: null })).body;
}

test('alerts and the dashboard name metrics that the service has', async () => {
  const known = new Set([...(await readMetrics()).matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name));
  const named = `${alerts}${dashboard}`.matchAll(/\b(?:giftwire|nodejs|process)_[a-z0-9_]+/g);
  const unknown = [...named]
    .map(([name]) => name.replace(/_(bucket|count|sum)$/, ''))
    .filter((name) => !known.has(name));
  assert.deepEqual([...new Set(unknown)], []);
});

test('every metric of ours is in an alert or on the dashboard', async () => {
  const own = [...(await readMetrics()).matchAll(/^# TYPE (giftwire_\w+)/gm)].map(([, name]) => name as string);
  assert.deepEqual(
    own.filter((name) => !alerts.includes(name) && !dashboard.includes(name)),
    [],
  );
});

test('docs/operate.md says what to do about each alert', () => {
  const names = [...alerts.matchAll(/- alert: (\w+)/g)].map(([, name]) => name);
  const explained = [...read('docs/operate.md').matchAll(/^\| `(Giftwire\w+)` \|/gm)].map(([, name]) => name);
  assert.deepEqual(explained.sort(), names.sort());
});

test('every alert about backups asks whether a node should write them', () => {
  const rules = alerts.split('- alert: ').filter((rule) => /^\w*Backup/.test(rule));
  assert.equal(rules.length, 3);
  for (const rule of rules) assert.match(rule, /expr: .*max\(giftwire_backup_nightly\) == 1/);
});

const hasPromtool = spawnSync('promtool', ['--version']).error === undefined;

test('Prometheus accepts the rules', {
  skip: !hasPromtool && 'there is no promtool: apt-get install prometheus',
}, () => {
  execFileSync('promtool', ['check', 'rules', join(root, 'deploy/monitoring/alerts.yml')], { stdio: 'pipe' });
});

test('metrics say how long orders and webhooks wait, and who uses the database', async () => {
  const workspace = await openWorkspace(service);
  await workspace.outcome(await workspace.submit(anOrder().orderItems));
  const text = await eventually(async () => {
    const body = await readMetrics();
    return /^giftwire_order_completion_seconds_count [1-9]/m.test(body) && body;
  });
  assert.match(text, /^giftwire_build_info\{version="\d+\.\d+\.\d+",node="v\d+[^"]*"\} 1$/m);
  assert.match(text, /^giftwire_database_connections\{pool="requests",state="used"\} \d+$/m);
  assert.match(text, /^giftwire_database_connections\{pool="requests",state="waiting"\} 0$/m);
  assert.match(text, /^giftwire_webhook_lag_events \d+$/m);
  assert.match(text, /^giftwire_database_replication_lag_seconds 0$/m);
  const seconds = Number(/^giftwire_order_completion_seconds_sum (.+)$/m.exec(text)?.[1]);
  assert.ok(seconds > 0 && seconds < 3_600, `an order was completed after ${seconds} s`);
});

test('a webhook that receives nothing is behind by its events and the age of the oldest', async () => {
  const accepting = await startService({ role: 'api' });
  const workspace = await openWorkspace(accepting);
  await workspace.call('/api/v1/webhooks', { method: 'POST', body: { url: 'http://127.0.0.1:9/' } });
  await workspace.addPeople([{ email: 'ada@example.com' }]);
  const { body } = await accepting.call<string>('/metrics', { token: null, workspace: null });
  assert.match(body, /^giftwire_webhook_lag_events [1-9]\d*$/m);
  assert.ok(Number(/^giftwire_webhook_lag_seconds (.+)$/m.exec(body)?.[1]) > 0);
});
