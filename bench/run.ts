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
import { measureGift } from './measures/gift.ts';
import { measureLatencies, measureTails } from './measures/latency.ts';
import { measureMails, measureWithMail } from './measures/mail.ts';
import { measureBudgets, measureLedger } from './measures/money.ts';
import { measureIdle, measurePages } from './measures/pages.ts';
import { measureRules } from './measures/rules.ts';
import { completeOrders, create, measureThroughput } from './measures/throughput.ts';
import { openBench, residentMegabytes } from './programs.ts';
import { keep, show, summarise } from './report.ts';
import { inRounds, type Series } from './series.ts';
import { full, quick } from './sizes.ts';

const parts = {
  rates: measureRates,
  cpu: measureCpuTime,
  gift: measureWholeGift,
  pages: measureLongLists,
  latency: measureHalfLoad,
  events: measureEvents,
  mail: measureMailing,
  money: measureMoney,
  rules: measureAllRules,
  console: measureScreens,
  fairness: measureNeighbours,
  files: measureAllFiles,
};
type Part = keyof typeof parts;

const program = new Command('npm run bench --')
  .description(
    'Measures Giftwire against what it is compared with, and writes bench/results.json and docs/benchmark.md.',
  )
  .option('--quick', 'the same rows on small data, which are shown and not kept')
  .addOption(new Option('--only <part>', 'some rows alone').choices(Object.keys(parts)))
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
  .parse();
const { quick: isQuick = false, only } = program.opts<{ quick?: true; only?: Part }>();
const sizes = isQuick ? quick : full;

const dataDir = await mkdtemp(join(tmpdir(), 'giftwire-bench-'));
const bench = await openBench(join(dataDir, 'data'));
const began = Date.now();
const say = (what: string) => {
  const line = `${String(Math.round((Date.now() - began) / 1_000)).padStart(4)} s  ${what}`;
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${line}`);
  else console.error(line);
};

const company = lazily(fillCompany);

try {
  const all: Series = {};
  for (const part of only ? [only] : (Object.keys(parts) as Part[])) {
    const series = await parts[part]();
    Object.assign(all, series);
    if (!isQuick) await keep(series);
  }
  say('done\n');
  console.log(`\n${show(summarise(isQuick ? 'quick' : 'full', all))}`);
} finally {
  await bench.close();
  await rm(dataDir, { recursive: true, force: true });
}

async function measureRates(): Promise<Series> {
  say('accept to COMPLETED on an idle service');
  const whole = await bench.startService('whole');
  const idle = await measureIdle(whole, sizes);
  say('accepting, completing and asking for orders, beside what they are compared with');
  const rates = await measureThroughput(bench, whole, sizes);
  say(`memory after ${sizes.memorySeconds} s of full load`);
  await load({ url: whole.url, calls: [create(whole)], seconds: sizes.memorySeconds });
  return { ...idle, ...rates, memory: [residentMegabytes(whole.pid) ?? Number.NaN] };
}

function measureCpuTime(): Promise<Series> {
  say('CPU time for a request, beside a bare Fastify route');
  return measureCpu(bench, sizes);
}

/** A service with a workspace of many people, each with an activity. */
async function fillCompany() {
  const { members } = sizes;
  const filled = await bench.startService('filled');
  const workspaceId = filled.workspaceId + 1;
  const show = showProgress(`${members.toLocaleString('en')} members and activities`);
  await fill(filled.database, { workspaceId, members, gifts: members, giftsPerOrder: 20 }, show);
  await bench.checkpoint();
  return { filled, workspaceId };
}

async function measureLongLists(): Promise<Series> {
  const { members, certificates: gifts } = sizes;
  const { filled, workspaceId } = await company();
  const empty = await bench.startService('vacant');
  const years = { workspaceId: filled.workspaceId, members: members / 10, gifts, giftsPerOrder: 20 };
  await fill(filled.database, years, showProgress(`${gifts.toLocaleString('en')} certificates`));
  await bench.checkpoint();
  say('pages, first and last');
  const pages = await measurePages(filled, workspaceId, sizes);
  say('accepting and fulfilling with and without history');
  const beside = {
    completedEmpty: () => completeOrders(empty, 1, sizes.seconds),
    completedFilled: () => completeOrders(filled, 1, sizes.seconds),
  };
  await inRounds(sizes.warmUps, beside);
  return { ...pages, ...(await inRounds(sizes.rounds, beside)) };
}

async function measureHalfLoad(): Promise<Series> {
  const { filled, workspaceId } = await company();
  say('latencies at half load');
  const latencies = await measureLatencies(filled, workspaceId, sizes);
  return { ...latencies, ...(await measureTails(bench, filled, workspaceId, sizes)) };
}

async function measureEvents(): Promise<Series> {
  say(`writing ${sizes.events.toLocaleString('en')} events, then asking for the first and the last`);
  const log = await measureLog(await bench.startService('long'), sizes);
  say('fulfilling orders with and without the event log');
  const logging = await measureLogging(bench, sizes);
  say('delivering webhooks');
  return { ...log, ...logging, ...(await measureDeliveries(bench, sizes)) };
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

function measureWholeGift(): Promise<Series> {
  say('gifts, accepted, fulfilled, emailed, claimed and spent');
  return measureGift(bench, sizes);
}

function measureAllRules(): Promise<Series> {
  say('accepting orders with and without rules');
  return measureRules(bench, sizes, showProgress('a million gifts'));
}

function showProgress(what: string): (share: number) => void {
  let shown = -1;
  return (share) => {
    const tenth = Math.floor(share * 10);
    if (tenth !== shown) say(`writing ${what}: ${tenth}0 %`);
    shown = tenth;
  };
}

/** Makes something when it is first asked for. */
function lazily<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null;
  return () => {
    made ??= make();
    return made;
  };
}
