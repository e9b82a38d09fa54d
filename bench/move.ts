import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { Command, InvalidArgumentError } from 'commander';
import { withSnapshot } from '../src/ground/database/contents.ts';
import { openDatabase, queryOne } from '../src/ground/database/database.ts';
import { migrate } from '../src/ground/database/migrate.ts';
import { moveDatabase } from '../src/ground/database/move.ts';
import { pools } from '../src/ground/database/pools.ts';
import { fill } from './fill.ts';
import { createAccess, openBench, peakMegabytes } from './programs.ts';

const { gifts } = new Command('npm run bench:move --')
  .description(
    'Fills an embedded database, and measures its size and how long its move to another database takes, compared with reading all its rows.',
  )
  .option('--gifts <count>', 'how many; a person for fifty of them', thousands, 250_000)
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
  .parse()
  .opts<{ gifts: number }>();

const folder = await mkdtemp(join(tmpdir(), 'giftwire-move-'));
const bench = await openBench(join(folder, 'data'));
try {
  const filled = await bench.createDatabase('filled');
  await migrate(filled);
  const { workspaceId } = await createAccess(filled, 1);
  const people = gifts / 50;
  await fill(filled, { workspaceId, members: people, gifts, giftsPerOrder: 20, shoutouts: gifts }, () => {});
  await bench.checkpoint();
  const { megabytes } = await queryOne<{ megabytes: number }>(
    filled,
    'select pg_database_size(current_database()) / 1e6 as megabytes',
  );
  await bench.createDatabase('copy');
  const source = openDatabase({ url: bench.databaseUrl('filled'), ...pools.longCommands });
  const readBegan = performance.now();
  await withSnapshot(source, async ({ tables, read }) => {
    for (const table of tables) await read(table, new Writable({ write: (_, __, done) => done() }));
  });
  const reading = (performance.now() - readBegan) / 1_000;
  const before = peakMegabytes(process.pid) ?? 0;
  const began = performance.now();
  const copied = await moveDatabase({
    source,
    targetUrl: bench.databaseUrl('copy'),
    onCopied: () => {},
    // The rows of the fill have no entries in the ledger.
    verify: async () => {},
  });
  const seconds = (performance.now() - began) / 1_000;
  await source.close();
  const [slowest] = copied.toSorted((a, b) => b.seconds - a.seconds);
  console.log(
    `${people.toLocaleString('en')} people, ${gifts.toLocaleString('en')} gifts and as many shoutouts: ${Math.round(megabytes)} MB, ` +
      `moved and compared in ${seconds.toFixed(1)} s, ${(seconds / reading).toFixed(1)} times what reading all rows takes (the longest: ${slowest?.table}, ${slowest?.seconds.toFixed(1)} s). ` +
      `The move raised the peak of memory by ${Math.round((peakMegabytes(process.pid) ?? 0) - before)} MB.`,
  );
} finally {
  await bench.close();
  await rm(folder, { recursive: true, force: true });
}

function thousands(text: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count <= 0 || count % 1_000 !== 0)
    throw new InvalidArgumentError('It must be a whole number of thousands.');
  return count;
}
