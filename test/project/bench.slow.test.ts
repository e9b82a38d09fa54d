import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { drawChart } from '../../bench/chart.ts';
import { cpuTimeUs } from '../../bench/cpu-time.ts';
import { latenciesOf } from '../../bench/measures/latency.ts';
import { inRounds, median, ratio } from '../../bench/series.ts';
import { goals, nameOf, readTargets } from '../../bench/targets.ts';
import { cleanUp } from '../support/cleanup.ts';
import fc from '../support/fast-check.ts';
import { projectDir, shellEnv } from '../support/process.ts';

const measures = [
  ...['accept', 'nothingStored', 'insert', 'pgbench', 'completed', 'completedTwenty', 'status', 'constant', 'select'],
  ...['findFirst', 'findLast', 'activityFirst', 'activityLast', 'lastFirst', 'lastLast', 'lastFew', 'lastPair'],
  ...['fulfilledWithLog', 'fulfilledWithoutLog', 'delivered', 'posted', 'deliveredBesideHanging', 'eventsFirst'],
  ...['eventsLast', 'lastTenth', 'countTenth', 'completedFilled', 'completedEmpty', 'memory', 'idle'],
  ...['mailed', 'mailedBare', 'completedWithMail', 'completedWithoutMail'],
  ...['console: giftList', 'report: activity', 'changed: coverage', 'usable: home'],
  ...['cpuCreate', 'cpuCreateBare', 'cpuStatus', 'cpuStatusBare', 'cpuCreateStoredDatabase', 'cpuInsertDatabase'],
  ...['order', 'shoutout', 'webhook', 'mail', 'erasures', 'beside'].flatMap((name) =>
    ['idle', 'flooded'].flatMap((when) => [1, 2].map((nodes) => `${name} ${when} ${nodes}`)),
  ),
  ...['create', 'activity', 'last'].flatMap((name) => [`tail ${name}`, `tail ${name} bare`]),
  ...['lastFile', 'lastCopied', 'activityFile', 'activityCopied', 'imported', 'importCopied', 'importedAgain'],
  ...['exportMemoryLarge', 'exportMemorySmall', 'importMemoryLarge', 'importMemorySmall', 'begun'],
  ...['acceptedFree', 'acceptedBudget', 'acceptedBesideExhausted', 'verified', 'summed'],
  ...['cpuAcceptedFree', 'cpuAcceptedBudget', 'cpuWithoutRules', 'cpuRulesApart'],
  ...['acceptedWithoutRules', 'acceptedRulesApart', 'acceptedByMonth', 'acceptedByMonthOfMillion'],
  ...['cpuByMonth', 'cpuByMonthOfMillion'],
  ...['giftWhole', 'giftWholeDatabase', 'giftBare', 'giftBareDatabase'],
];
const allOf = (value: number) => Object.fromEntries(measures.map((name) => [name, [value]]));

test('every goal has its row, except where its measure is missing', () => {
  assert.equal(goals.length, 59);
  assert.equal(readTargets(allOf(1)).length, 59);
  const { pgbench: _, ...without } = allOf(1);
  const rows = new Set(readTargets(without).map(nameOf));
  assert.deepEqual(
    goals.map(({ measure, comparedWith = '' }) => nameOf({ measure, comparedWith })).filter((name) => !rows.has(name)),
    ['accepting orders, compared with pgbench doing the same one-row INSERT (8 clients, prepared, no HTTP)'],
  );
});

test('the table of latencies is read from what was measured', () => {
  const series = {
    'half load: create: perSecond': [900],
    'half load: create: p50': [1.5],
    'half load: create: p95': [3],
    'half load: create: p99': [4],
    'tail create': [2],
  };
  assert.deepEqual(latenciesOf(series), [{ operation: 'create', perSecond: 900, p50: 1.5, p95: 3, p99: 4 }]);
});

test('the CPU time of a process is known while it runs, with that of the processes that it started', () => {
  const before = cpuTimeUs(process.pid);
  // A child that has ended counts for the process that waited for it.
  spawnSync(process.execPath, ['-e', '0']);
  assert.ok(cpuTimeUs(process.pid) > before);
  assert.ok(Number.isNaN(cpuTimeUs(2 ** 30)));
});

test('the server that stores nothing checks and answers orders', async () => {
  const args = ['bench/comparison/nothing-stored.ts'];
  const child = spawn(process.execPath, args, { cwd: projectDir, env: shellEnv({ PORT: '0', TOKEN: 'secret' }) });
  cleanUp(async () => child.kill());
  const [said] = await Promise.race([once(child.stdout, 'data'), once(child.stderr, 'data')]);
  const url = /http:[^"]+/.exec(String(said))?.[0] ?? assert.fail(String(said));
  const headers = { Authorization: 'Bearer secret', 'X-Workspace-id': '1', 'Content-Type': 'application/json' };
  const send = (body: object) => fetch(`${url}/api/v1/orders`, { method: 'POST', headers, body: JSON.stringify(body) });
  const orderItems = [{ message: 'Thank you!', amount: 25, recipient: { email: 'ada@example.com' } }];
  const accepted = await send({ currency: 'CAD', orderItems });
  assert.equal(accepted.status, 201);
  const { requestId } = (await accepted.json()) as { requestId: string };
  assert.equal((await fetch(`${url}/api/v1/orders/status/${requestId}`, { headers })).status, 200);
  assert.equal((await send({ currency: 'CAD', orderItems: [] })).status, 400);
});

test('a target is met exactly if the value is on its side', () => {
  const [first, ...others] = readTargets({ ...allOf(1), accept: [0.7], memory: [250.1] });
  assert.deepEqual([first?.value, first?.met], [0.7, true]);
  assert.equal(others.find(({ unit }) => unit === 'MB')?.met, false);
  assert.equal(others.find(({ unit }) => unit === 'ms')?.met, true);
});

test('a ratio is that of each round, so what slows both sides of a round changes nothing', () => {
  const round = fc.record({
    a: fc.double({ min: 1, max: 1e6, noNaN: true }),
    slow: fc.double({ min: 1, max: 50, noNaN: true }),
  });
  fc.assert(
    fc.property(fc.array(round, { minLength: 1 }), (rounds) => {
      const { value, low, high } = ratio(
        rounds.map(({ a, slow }) => (3 * a) / slow),
        rounds.map(({ a, slow }) => a / slow),
      );
      for (const one of [value, low, high]) assert.ok(Math.abs(one - 3) < 1e-9);
    }),
  );
});

test('half of the values lie on each side of the median', () => {
  fc.assert(
    fc.property(fc.array(fc.integer(), { minLength: 1 }), (values) => {
      const middle = median(values);
      assert.ok(values.filter((value) => value < middle).length <= values.length / 2);
      assert.ok(values.filter((value) => value > middle).length <= values.length / 2);
    }),
  );
});

test('measures take turns, and every other round goes backwards', async () => {
  const order: string[] = [];
  const note = (name: string) => async () => order.push(name);
  const series = await inRounds(3, { a: note('a'), b: note('b') });
  assert.deepEqual(order, ['a', 'b', 'b', 'a', 'a', 'b']);
  assert.deepEqual(series, { a: [1, 4, 5], b: [2, 3, 6] });
});

test('the chart has a bar for each row and shows what was missed in another colour', () => {
  const rows = readTargets({ ...allOf(1), accept: [0.1] });
  const chart = drawChart(rows);
  assert.equal(chart.match(/<rect x=/g)?.length, rows.length);
  const colours = new Set([...chart.matchAll(/rx="2" fill="(#\w+)"/g)].map(([, colour]) => colour));
  assert.equal(colours.size, 2);
});
