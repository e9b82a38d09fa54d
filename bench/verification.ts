import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import type { Database } from '../src/ground/database/database.ts';
import { migrate } from '../src/ground/database/migrate.ts';
import { requestVerification, runVerification } from '../src/insight/books/runs.ts';
import { verifyLedger, verifyNew } from '../src/insight/books/verify.ts';
import { cpuTimeUs } from './cpu-time.ts';
import { fill } from './fill.ts';
import { postAll } from './measures/money.ts';
import { type Bench, createAccess, openBench } from './programs.ts';
import { median } from './series.ts';

const rounds = 5;

const { gifts: sizes } = new Command('npm run bench:verification --')
  .description(
    'Fills workspaces with gifts that can all still be spent, and measures the usual and the full verification of each.',
  )
  .option('--gifts <counts>', 'how many gifts, one workspace for each', counts, [200_000, 1_000_000])
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
  .parse()
  .opts<{ gifts: number[] }>();

const dataDir = await mkdtemp(join(tmpdir(), 'giftwire-verification-'));
const bench = await openBench(join(dataDir, 'data'));
try {
  const table: Record<string, object> = {};
  for (const gifts of sizes) table[`${gifts.toLocaleString('en')} gifts`] = await measure(bench, gifts);
  console.log('CPU time of PostgreSQL, in seconds. The usual verification: the median of 5.\n');
  console.table(table);
} finally {
  await bench.close();
  await rm(dataDir, { recursive: true, force: true });
}

async function measure(bench: Bench, gifts: number) {
  const database = await bench.createDatabase(`verification_${gifts}`);
  await migrate(database);
  const { workspaceId } = await createAccess(database, 1);
  await fill(database, { workspaceId, members: gifts / 10, gifts, giftsPerOrder: 4 }, () => {});
  await postAll(database, workspaceId);
  await database.pool.query('vacuum (analyze) certificates, order_requests, orders');
  await bench.checkpoint();
  const without = await cpuOf(bench, () => verifyLedger(database, { workspaceId }));
  const { pieces, longest, cpu } = await runPieces(bench, database, workspaceId);
  const usual: number[] = [];
  for (let round = 0; round < rounds; round++) usual.push(await cpuOf(bench, () => verifyNew(database, workspaceId)));
  return {
    'without a checkpoint': without.toFixed(1),
    'full, in pieces': cpu.toFixed(1),
    pieces,
    'longest piece, s': longest.toFixed(1),
    'usual, after a checkpoint': median(usual).toFixed(2),
  };
}

async function runPieces(bench: Bench, database: Database, workspaceId: number) {
  await requestVerification(database, workspaceId);
  let [pieces, longest] = [0, 0];
  const cpu = await cpuOf(bench, async () => {
    for (let isOver = false; !isOver; pieces++) {
      const begun = performance.now();
      const step = await runVerification(database);
      longest = Math.max(longest, (performance.now() - begun) / 1_000);
      if (step?.faults && step.faults.length > 0) throw new Error(step.faults[0]?.problem);
      isOver = step?.faults !== null;
    }
  });
  return { pieces, longest, cpu };
}

async function cpuOf({ databasePid }: Bench, work: () => Promise<unknown>): Promise<number> {
  const before = cpuTimeUs(databasePid);
  await work();
  return (cpuTimeUs(databasePid) - before) / 1e6;
}

function counts(text: string): number[] {
  const all = text.split(',').map(Number);
  if (all.some((count) => !Number.isInteger(count) || count < 1_000 || count % 1_000 !== 0))
    throw new InvalidArgumentError('Thousands, separated by commas.');
  return all;
}
