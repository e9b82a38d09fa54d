import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Command, InvalidArgumentError } from 'commander';
import type { Database } from '../src/ground/database/database.ts';
import { cpuTimeUs } from './cpu-time.ts';
import { fill } from './fill.ts';
import { type Bench, openBench, type Program, type Service } from './programs.ts';
import { median } from './series.ts';

interface Options {
  members: number;
  activities: number;
  rounds: number;
}

const options = new Command('npm run bench:first-report --')
  .description('Fills a company and measures its first report after a start, on nodes of one process and of two.')
  .option('--members <count>', 'how many people', thousands, 100_000)
  .option('--activities <count>', 'how many gifts and shoutouts, half of each', thousands, 1_000_000)
  .option('--rounds <count>', 'how many starts of each kind', Number, 3)
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
  .parse()
  .opts<Options>();

/** What is asked for after a start. The first row is what the start itself takes. */
const kinds = ['an empty company', 'nothing stored', 'stored by an earlier process'] as const;

const dataDir = await mkdtemp(join(tmpdir(), 'giftwire-first-report-'));
const bench = await openBench(join(dataDir, 'data'));
try {
  const service = await bench.startService('first');
  const { members, activities } = options;
  const half = activities / 2;
  const company = { members, gifts: half, giftsPerOrder: 20, shoutouts: half, oneLeftIn: 20 };
  await fill(service.database, { workspaceId: service.workspaceId, ...company }, () => {});
  await bench.checkpoint();
  await end(service);
  const table: Record<string, Record<string, number>> = {};
  for (const processes of [1, 2])
    for (const kind of kinds) {
      const rounds = [];
      for (let round = 0; round < options.rounds; round++) rounds.push(await measure(bench, service, processes, kind));
      table[nameOf(processes, kind)] = medians(rounds);
    }
  console.log(`\n${members.toLocaleString('en')} people, ${activities.toLocaleString('en')} activities.`);
  console.log(
    `Medians of ${options.rounds} starts. CPU time from the start until every process has answered a report.\n`,
  );
  console.table(table);
  console.log('\nRatios of these medians. CPU time of PostgreSQL is without that of a start.\n');
  console.table(ratios(table));
} finally {
  await bench.close();
  await rm(dataDir, { recursive: true, force: true });
}

async function measure(
  { startNode, databasePid }: Bench,
  service: Service,
  processes: number,
  kind: (typeof kinds)[number],
) {
  if (kind !== 'stored by an earlier process') await forgetSnapshots(service.database);
  const workspaceId = service.workspaceId + (kind === 'an empty company' ? 1 : 0);
  const databaseCpu = cpuTimeUs(databasePid);
  const node = await startNode('first', { GIFTWIRE_PROCESSES: String(processes) });
  const begun = performance.now();
  const answered = new Set([await ask(node, service, workspaceId)]);
  const first = performance.now() - begun;
  while (answered.size < processes) answered.add(await ask(node, service, workspaceId));
  const all = performance.now() - begun;
  const result = {
    'first report, s': first / 1_000,
    'of every process, s': all / 1_000,
    'CPU of the node, s': cpuTimeUs(node.pid) / 1e6,
    'CPU of PostgreSQL, s': (cpuTimeUs(databasePid) - databaseCpu) / 1e6,
  };
  await end(node);
  return result;
}

/** Asks for a report on a new connection. Returns which process has answered. */
async function ask(node: Program, service: Service, workspaceId: number): Promise<string> {
  const { path, headers } = service.call('GET', '/api/v1/reports/coverage?by=department', undefined, workspaceId);
  const response = await fetch(node.url + path, { headers: { ...headers, Connection: 'close' } }).catch(() => null);
  // A connection that the check for life has left open may end at the same moment.
  if (!response) return ask(node, service, workspaceId);
  if (response.status !== 200) throw new Error(`a report was answered with ${response.status}`);
  await response.text();
  return response.headers.get('x-request-id')?.split('-')[0] ?? '';
}

async function forgetSnapshots(database: Database): Promise<void> {
  const [row] = await database.query<{ exists: boolean }>(
    `select to_regclass('report_snapshots') is not null as exists`,
  );
  if (row?.exists) await database.query('delete from report_snapshots');
}

async function end({ pid, url }: Program): Promise<void> {
  process.kill(pid, 'SIGTERM');
  while (await fetch(`${url}/health/live`).catch(() => null)) await sleep(50);
}

function medians(rounds: readonly Record<string, number>[]): Record<string, number> {
  const names = Object.keys(rounds[0] ?? {});
  return Object.fromEntries(
    names.map((name) => [name, Math.round(median(rounds.map((one) => one[name] ?? Number.NaN)) * 100) / 100]),
  );
}

function nameOf(processes: number, kind: (typeof kinds)[number]): string {
  return `${processes === 1 ? 'one process' : `${processes} processes`}, ${kind}`;
}

/** Machines differ in speed, and a busy one is slower: what holds elsewhere is how the kinds compare. */
function ratios(table: Readonly<Record<string, Record<string, number>>>): Record<string, Record<string, number>> {
  const first = (processes: number, kind: (typeof kinds)[number]) =>
    table[nameOf(processes, kind)]?.['first report, s'] ?? Number.NaN;
  const cpu = (processes: number, kind: (typeof kinds)[number]) => {
    const of = (one: (typeof kinds)[number]) => table[nameOf(processes, one)]?.['CPU of PostgreSQL, s'] ?? Number.NaN;
    return of(kind) - of('an empty company');
  };
  const [, nothing, stored] = kinds;
  const rounded = (ratio: number) => Math.round(ratio * 10) / 10;
  const compared = (name: string, over: [number, typeof nothing | typeof stored], under: typeof over) => ({
    [name]: {
      'first report': rounded(first(...over) / first(...under)),
      'CPU of PostgreSQL': rounded(cpu(...over) / cpu(...under)),
    },
  });
  return {
    ...compared('one process: nothing stored / stored', [1, nothing], [1, stored]),
    ...compared('2 processes: nothing stored / stored', [2, nothing], [2, stored]),
    ...compared('nothing stored: 2 processes / one', [2, nothing], [1, nothing]),
  };
}

function thousands(text: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count <= 0 || count % 1_000 !== 0)
    throw new InvalidArgumentError('It must be a whole number of thousands.');
  return count;
}
