import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command, Option } from 'commander';
import { fill } from './fill.ts';
import { load } from './load.ts';
import { measureConsole, showScreens } from './measures/console.ts';
import { measureCpu } from './measures/cpu.ts';
import { measureDeliveries, measureLog, measureLogging } from './measures/events.ts';
import { measureFairness } from './measures/fairness.ts';
import { measureFiles } from './measures/files.ts';
import { measureLatencies, measureTails } from './measures/latency.ts';
import { measureMails, measureWithMail } from './measures/mail.ts';
import { measureBudgets, measureLedger } from './measures/money.ts';
import { measureIdle, measurePages } from './measures/pages.ts';
import { completeOrders, create, measureThroughput } from './measures/throughput.ts';
import { openBench, residentMegabytes, type Service } from './programs.ts';
import { keep, show, summarise } from './report.ts';
import { inRounds, type Series } from './series.ts';
import { full, quick } from './sizes.ts';
import { readTargets } from './targets.ts';

const program = new Command('npm run bench --')
  .description('Measures Giftwire against what it is compared with, and writes bench/results.json.')
  .option('--quick', 'the same rows on small data, in about a minute')
  .addOption(
    new Option('--only <part>', 'some rows alone; their results are shown and not kept').choices([
      'console',
      'cpu',
      'events',
      'fairness',
      'files',
      'latency',
      'mail',
      'money',
      'rates',
    ]),
  )
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
  .parse();
const { quick: isQuick = false, only } = program.opts<{ quick?: true; only?: keyof typeof parts }>();
const sizes = isQuick ? quick : full;

const parts = {
  console: () => measureAlone(measureScreens),
  cpu: () => measureAlone(measureCpuTime),
  events: measureEvents,
  fairness: () => measureAlone(measureNeighbours),
  files: () => measureAlone(measureAllFiles),
  latency: () => measureAlone(measureTailsAlone),
  mail: () => measureAlone(measureMailing),
  money: () => measureAlone(measureMoney),
  rates: () => measureAlone(async () => measureRates(await bench.startService('whole'))),
};

const dataDir = await mkdtemp(join(tmpdir(), 'giftwire-bench-'));
const bench = await openBench(join(dataDir, 'data'));
const began = Date.now();
const say = (what: string) => {
  const line = `${String(Math.round((Date.now() - began) / 1_000)).padStart(4)} s  ${what}`;
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${line}`);
  else console.error(line);
};

try {
  const results = await (only ? parts[only]() : measureAll());
  say('done\n');
  console.log(`\n${show(results)}`);
  if (!only) await keep(results);
} finally {
  await bench.close();
  await rm(dataDir, { recursive: true, force: true });
}

async function measureEvents() {
  const series = await measureWithEvents();
  const service = await bench.startService('long');
  Object.assign(series, await measureLongLog(service));
  return summarise(isQuick ? 'quick' : 'full', readTargets(series), series, []);
}

async function measureAlone(measure: () => Promise<Series>) {
  const series = await measure();
  return summarise(isQuick ? 'quick' : 'full', readTargets(series), series, []);
}

function measureRates(whole: Service): Promise<Series> {
  say('accepting, completing and asking for orders, beside what they are compared with');
  return measureThroughput(bench, whole, sizes);
}

function measureCpuTime(): Promise<Series> {
  say('CPU time for a request, beside a bare Fastify route');
  return measureCpu(bench, sizes);
}

async function measureMailing(): Promise<Series> {
  say('mailing gifts');
  const mails = await measureMails(bench, sizes);
  say('completing orders with and without mail');
  return { ...mails, ...(await measureWithMail(bench, sizes)) };
}

function measureNeighbours(): Promise<Series> {
  say('one order, shoutout, event and mail beside the flood of another workspace, on one node and on two');
  return measureFairness(bench, sizes);
}

/** On a company of a tenth of the size. */
async function measureTailsAlone(): Promise<Series> {
  say('filling a company');
  const service = await bench.startService('latencies');
  const million = service.workspaceId + 1;
  const count = sizes.members / 10;
  await fill(service.database, { workspaceId: million, members: count, gifts: count, giftsPerOrder: 20 }, () => {});
  await bench.checkpoint();
  say('the slowest answers at half load');
  return measureTails(bench, service, million, sizes);
}

function measureAllFiles(): Promise<Series> {
  say('CSV files out and in, beside COPY');
  return measureFiles(bench, sizes);
}

async function measureScreens(): Promise<Series> {
  const { members, activities } = sizes.console;
  say(`writing a company of ${members.toLocaleString('en')} people with ${activities.toLocaleString('en')} activities`);
  const series = await measureConsole(bench, sizes);
  console.log(`\n${showScreens(series)}`);
  return series;
}

async function measureMoney(): Promise<Series> {
  say('accepting orders with and without budgets');
  const budgets = await measureBudgets(bench, sizes);
  say('verifying the ledger');
  return { ...budgets, ...(await measureLedger(bench, sizes)) };
}

async function measureWithEvents(): Promise<Series> {
  say('fulfilling orders with and without the event log');
  const logging = await measureLogging(bench, sizes);
  say('delivering webhooks');
  return { ...logging, ...(await measureDeliveries(bench, sizes)) };
}

function measureLongLog(service: Service): Promise<Series> {
  say(`writing ${sizes.events.toLocaleString('en')} events, then asking for the first and the last`);
  return measureLog(service, sizes);
}

async function measureAll() {
  const series: Series = {};
  say('starting the service');
  const whole = await bench.startService('whole');
  say('accept to COMPLETED on an idle service');
  Object.assign(series, await measureIdle(whole, sizes));
  Object.assign(series, await measureRates(whole));
  Object.assign(series, await measureCpuTime());
  say(`memory after ${sizes.memorySeconds} s of full load`);
  await load({ url: whole.url, calls: [create(whole)], seconds: sizes.memorySeconds });
  series.memory = [residentMegabytes(whole.pid) ?? Number.NaN];
  await completeOrders(whole, 1, 1);

  const filled = await bench.startService('filled');
  const empty = await bench.startService('vacant');
  const million = filled.workspaceId + 1;
  const { members, certificates: gifts } = sizes;
  let shown = -1;
  const showProgress = (what: string) => (share: number) => {
    const tenth = Math.floor(share * 10);
    if (tenth !== shown) say(`writing ${what}: ${tenth}0 %`);
    shown = tenth;
  };
  const years = { workspaceId: filled.workspaceId, members: members / 10, gifts, giftsPerOrder: 20 };
  const company = { workspaceId: million, members, gifts: members, giftsPerOrder: 20 };
  await fill(filled.database, years, showProgress(`${gifts.toLocaleString('en')} certificates`));
  await fill(filled.database, company, showProgress(`${members.toLocaleString('en')} members and activities`));
  await bench.checkpoint();
  say('pages, first and last');
  Object.assign(series, await measurePages(filled, million, sizes));
  say('accepting and fulfilling with and without history');
  const beside = {
    completedEmpty: () => completeOrders(empty, 1, sizes.seconds),
    completedFilled: () => completeOrders(filled, 1, sizes.seconds),
  };
  await inRounds(sizes.warmUps, beside);
  Object.assign(series, await inRounds(sizes.rounds, beside));
  say('latencies at half load');
  const latencies = await measureLatencies(filled, million, sizes);
  Object.assign(series, await measureTails(bench, filled, million, sizes));
  Object.assign(
    series,
    await measureLongLog(filled),
    await measureWithEvents(),
    await measureMailing(),
    await measureMoney(),
    await measureScreens(),
    await measureNeighbours(),
    await measureAllFiles(),
  );
  return summarise(isQuick ? 'quick' : 'full', readTargets(series), series, latencies);
}
