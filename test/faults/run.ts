import { randomInt } from 'node:crypto';
import { Command, InvalidArgumentError } from 'commander';
import { isAlive } from '../../src/ground/database/embedded/process.ts';
import { folderForClusters } from '../support/cluster-folder.ts';
import { eventually } from '../support/eventually.ts';
import { useBundledPackages } from '../support/packages.ts';
import { Random } from '../support/random.ts';
import { Scope } from '../support/scope.ts';
import { check } from './checker.ts';
import { Client } from './client.ts';
import { type Cluster, makeFolder, openEmbeddedCluster } from './cluster.ts';
import { type Fault, Skipped } from './fault.ts';
import { abuseFaults } from './faults/abuse.ts';
import { approvalFaults } from './faults/approvals.ts';
import { callerFaults } from './faults/callers.ts';
import { clockFaults } from './faults/clock.ts';
import { databaseFaults } from './faults/database.ts';
import { diskFaults } from './faults/disk.ts';
import { eventFaults } from './faults/events.ts';
import { exportFaults } from './faults/exports.ts';
import { failoverFaults } from './faults/failover.ts';
import { fairnessFaults } from './faults/fairness.ts';
import { firstStartFaults } from './faults/first-start.ts';
import { importFaults } from './faults/imports.ts';
import { mailFaults } from './faults/mails.ts';
import { memoryFaults } from './faults/memory.ts';
import { moneyFaults } from './faults/money.ts';
import { patroniFaults } from './faults/patroni.ts';
import { processFaults } from './faults/processes.ts';
import { restoreFaults } from './faults/restore.ts';
import { rightsFaults } from './faults/rights.ts';
import { snapshotFaults } from './faults/snapshot.ts';
import { versionFaults } from './faults/versions.ts';
import { workerFaults } from './faults/workers.ts';
import { Journal } from './journal.ts';
import { reportFault, reportSummary, type Total } from './report.ts';
import { Rig } from './rig.ts';

interface Options {
  seed?: number;
  runs: number;
  only?: string[];
  long?: true;
  patience: number;
  jobs: number;
  beside?: number;
  keep?: true;
  list?: true;
}

const faults: Fault[] = [
  ...processFaults,
  ...workerFaults,
  ...databaseFaults,
  ...callerFaults,
  ...abuseFaults,
  ...diskFaults,
  ...exportFaults,
  ...restoreFaults,
  ...failoverFaults,
  ...patroniFaults,
  ...snapshotFaults,
  ...versionFaults,
  ...fairnessFaults,
  ...clockFaults,
  ...firstStartFaults,
  ...importFaults,
  ...eventFaults,
  ...mailFaults,
  ...moneyFaults,
  ...approvalFaults,
  ...rightsFaults,
  ...memoryFaults,
];

const options = new Command('npm run test:faults --')
  .description('Runs the service as real processes, breaks things under load and checks that every promise was kept.')
  .option(
    '--seed <n>',
    'repeats a run, with the same orders and the same faults at the same moments (default: any)',
    wholeNumber,
  )
  .option('--runs <n>', 'every fault so many times, with seed, seed + 1, …', wholeNumber, 1)
  .option('--only <faults>', 'some faults alone, separated by commas', faultNames)
  .option('--long', 'the full sizes, which take much longer')
  .option('--patience <n>', 'makes every time limit so many times as long, on a busy machine', wholeNumber, 1)
  .option('--jobs <n>', 'so many faults at the same time, each with a PostgreSQL of its own', jobCount, 1)
  .option('--beside <pid>', 'faults that need a quiet machine wait until this process has ended', wholeNumber)
  .option('--keep', 'leaves the folders with all logs where they are')
  .option('--list', 'the faults there are')
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
  .parse()
  .opts<Options>();

if (options.list) for (const { name, what } of faults) console.log(`${name.padEnd(20)}  ${what}`);
else process.exitCode = (await runAll(options)) ? 0 : 1;

async function runAll(options: Options): Promise<boolean> {
  const { seed = randomInt(1e9), runs, only, long, patience, jobs, beside, keep } = options;
  await useBundledPackages();
  const scope = new Scope(keep === true, patience);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => void scope.close().then(() => process.exit(130)));
  const chosen = faults.filter(({ name }) => !only || only.includes(name));
  const total: Total = {
    seed,
    runs,
    injected: 0,
    verified: 0,
    skipped: 0,
    requests: 0,
    violations: 0,
    began: Date.now(),
  };
  console.log(`Seed ${seed}, ${runs === 1 ? 'one run' : `${runs} runs`} of ${chosen.length} faults.`);
  try {
    const openCluster = async () => openEmbeddedCluster(scope, await makeFolder(scope, folderForClusters()));
    const clusters = await Promise.all(Array.from({ length: jobs }, openCluster));
    for (let run = 0; run < runs; run++)
      for (const group of together(chosen, jobs))
        await share(clusters, group, async (shared, fault) => {
          if (fault.needsQuiet) await endOf(beside);
          await runFault({ fault, shared, seed: seed + run, long: long === true, patience, total, scope });
        });
  } finally {
    await scope.close();
  }
  reportSummary(total);
  return total.violations === 0;
}

/** Groups that run one after the other: what may run at the same time, then each of the others. Those at the end of the list take longest. */
function together(list: Fault[], jobs: number): Fault[][] {
  if (jobs === 1) return [list];
  const alone = list.filter(({ needsQuiet }) => needsQuiet);
  return [list.filter(({ needsQuiet }) => !needsQuiet).toReversed(), ...alone.map((fault) => [fault])];
}

/** Resolves when the process that runs at the same time has ended. */
async function endOf(pid: number | undefined): Promise<void> {
  const hasEnded = async () => pid === undefined || !isAlive(pid);
  await eventually(hasEnded, Boolean, { withinMs: Number.POSITIVE_INFINITY, everyMs: 500 });
}

/** Works through the list with each of the clusters at the same time. */
async function share(
  clusters: readonly Cluster[],
  list: readonly Fault[],
  work: (cluster: Cluster, fault: Fault) => Promise<void>,
): Promise<void> {
  const waiting = [...list];
  const workThrough = async (cluster: Cluster) => {
    for (let fault = waiting.shift(); fault; fault = waiting.shift()) await work(cluster, fault);
  };
  await Promise.all(clusters.map(workThrough));
}

interface FaultRun {
  fault: Fault;
  shared: Cluster;
  seed: number;
  long: boolean;
  patience: number;
  total: Total;
  scope: Scope;
}

async function runFault({ fault, shared, seed, long, patience, total, scope: parent }: FaultRun): Promise<void> {
  const scope = new Scope(parent.keepsFolders, patience);
  await parent.defer(() => scope.close());
  const journal = new Journal(patience);
  const began = Date.now();
  try {
    const cluster = fault.openCluster ? await fault.openCluster(scope, await makeFolder(scope)) : shared;
    const rig = await Rig.open(scope, cluster, `${fault.name.replaceAll('-', '_')}_${seed}`);
    const client = new Client(rig.url, cluster.access, journal);
    await scope.defer(async () => client.close());
    const random = new Random(seed).fork(fault.name);
    const checked = await fault.run({ scope, cluster, rig, journal, client, random, long });
    await check(checked ?? rig, client);
    total.injected++;
  } catch (error) {
    if (error instanceof Skipped) {
      total.skipped++;
      return console.log(`- ${fault.name.padEnd(20)} skipped: ${error.message}`);
    }
    journal.violated(`The run broke off: ${(error as Error).message}.`);
  } finally {
    await scope.close();
  }
  if (journal.ledgerAgrees) total.verified++;
  total.requests += journal.sent;
  total.violations += journal.violations;
  reportFault({ name: fault.name, seed, ms: Date.now() - began, journal });
}

function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It has to be a whole number.');
  return Number(text);
}

function jobCount(text: string): number {
  if (!/^[1-9]$/.test(text)) throw new InvalidArgumentError('It has to be a number from 1 to 9.');
  return Number(text);
}

function faultNames(text: string): string[] {
  const names = text.split(',').map((name) => name.trim());
  const unknown = names.filter((name) => !faults.some((fault) => fault.name === name));
  if (unknown.length > 0) throw new InvalidArgumentError(`There is no ${unknown.join(', ')}: --list shows them.`);
  return names;
}
