import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { MailOutcome } from '../../src/giving/delivery/send/outcome.ts';
import { readHistoryAge, startHistory } from '../../src/ground/database/history.ts';
import { cleanUp } from '../support/cleanup.ts';
import { createTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { anOrder } from '../support/orders.ts';
import { giftwire } from '../support/process.ts';
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

const withoutPromtool = { skip: !hasPromtool && 'there is no promtool: apt-get install prometheus' };

test('Prometheus accepts the rules', withoutPromtool, () => {
  execFileSync('promtool', ['check', 'rules', join(root, 'deploy/monitoring/alerts.yml')], { stdio: 'pipe' });
});

/** What Prometheus makes of the rules: a series for each metric, and the summaries of the alerts that fire at some moments, in minutes. */
function expectAlerts(series: Record<string, string>, alert: string, expected: Record<number, string | null>): void {
  const folder = mkdtempSync(join(tmpdir(), 'giftwire-rules-'));
  cleanUp(async () => rmSync(folder, { recursive: true }));
  const test = {
    interval: '1m',
    input_series: Object.entries(series).map(([name, values]) => ({ series: `${name}{job="giftwire"}`, values })),
    alert_rule_test: Object.entries(expected).map(([minute, summary]) => ({
      eval_time: `${minute}m`,
      alertname: alert,
      exp_alerts: summary === null ? [] : [{ exp_labels: { severity: 'warning' }, exp_annotations: { summary } }],
    })),
  };
  const rules = { rule_files: [join(root, 'deploy/monitoring/alerts.yml')], evaluation_interval: '1m', tests: [test] };
  const file = join(folder, 'test.yml');
  writeFileSync(file, JSON.stringify(rules));
  const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', file], { encoding: 'utf8' });
  assert.equal(status, 0, `${stdout}${stderr}`);
}

test('an alert tells that a standby is lost, until a day later or until another one follows', withoutPromtool, () => {
  const lost = '1 standbys of the database are connected, and there were more within the past day';
  expectAlerts({ giftwire_database_standbys: '2x60 1x1500' }, 'GiftwireStandbyLost', {
    60: null,
    75: lost,
    1490: lost,
    1510: null,
  });
  expectAlerts({ giftwire_database_standbys: '2x60 1x60 2x60' }, 'GiftwireStandbyLost', { 110: lost, 130: null });
  expectAlerts({ giftwire_database_standbys: '0x300' }, 'GiftwireStandbyLost', { 300: null });
});

test('an alert tells for 12 hours that the database went back in time', withoutPromtool, () => {
  const said = (time: string) => `The database went back in time ${time} ago: what happened last may be lost`;
  expectAlerts({ giftwire_database_history_age_seconds: '_x60 0+60x1000' }, 'GiftwireNewHistory', {
    30: null,
    90: said('30m 0s'),
    790: null,
  });
});

test('a metric says how long ago the database went back in time', async () => {
  assert.match(await readMetrics(), /^giftwire_database_history_age_seconds Nan$/im);
  const database = await createTestDatabase();
  assert.equal(await readHistoryAge(database), null);
  await startHistory(database, 'a test');
  const seconds = await readHistoryAge(database);
  assert.ok(seconds !== null && seconds >= 0 && seconds < 3_600, `${seconds}`);
});

test('the help of the emails by outcome names each outcome', async () => {
  const help = /^# HELP giftwire_mails_total (.+)$/m.exec(await readMetrics())?.[1] ?? '';
  const outcomes = [
    'sent',
    'later',
    'refused',
    'unreachable',
    'withdrawn',
    'without address',
  ] satisfies MailOutcome['is'][];
  assert.deepEqual(
    outcomes.filter((outcome) => !help.includes(outcome)),
    [],
  );
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

test('events that are tried again count as not received, and doctor names the webhook', async () => {
  const failing = await startService();
  const workspace = await openWorkspace(failing);
  const hook = { method: 'POST', body: { url: 'http://127.0.0.1:9/' } };
  const { body: webhook } = await workspace.call<{ id: number }>('/api/v1/webhooks', hook);
  await workspace.addPeople([{ email: 'ada@example.com' }]);
  await eventually(async () => (await failing.database.query('select from webhook_retries')).length > 0);
  const { body } = await failing.call<string>('/metrics', { token: null, workspace: null });
  assert.match(body, /^giftwire_webhook_lag_events [1-9]\d*$/m);
  assert.ok(Number(/^giftwire_webhook_lag_seconds (.+)$/m.exec(body)?.[1]) > 0);
  const { stdout } = await giftwire(['doctor'], { DATABASE_URL: failing.database.url });
  assert.match(stdout, new RegExp(`– webhooks +webhook ${webhook.id} of workspace \\d+ fails since 20`));
});
