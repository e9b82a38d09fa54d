import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { applyMigrations } from '../src/ground/database/migrate.ts';
import { migrationsFolder, readSchema } from '../src/ground/database/schema.ts';
import { checkOutPreviousRelease } from '../test/support/previous-release.ts';
import { openBench } from './programs.ts';

const { gifts } = new Command('npm run bench:migrations --')
  .description(
    'Fills a database with the program of the previous release, and measures the locks that migrations of this version hold on it.',
  )
  .option('--gifts <count>', 'how many', tenThousands, 1_000_000)
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
  .parse()
  .opts<{ gifts: number }>();

/** Locks that stop those who write rows, or also those who read. */
const stopping = ['AccessExclusiveLock', 'ExclusiveLock', 'ShareRowExclusiveLock', 'ShareLock'];

const folder = await mkdtemp(join(tmpdir(), 'giftwire-migrations-'));
const release = join(folder, 'release');
await mkdir(release);
const bench = await openBench(join(folder, 'data'));
try {
  await checkOutPreviousRelease(release);
  const database = await bench.createDatabase('migrations');
  await fillWithPreviousRelease(bench.databaseUrl('migrations'));
  await bench.checkpoint();
  const { pending } = await readSchema(database);
  const table: Record<string, { seconds: number; 'longest lock at most, ms': number; on: string }> = {};
  const client = await database.pool.connect();
  const { rows } = await client.query('select pg_backend_pid() as pid');
  for (const name of pending) {
    const watch = watchLocks(rows[0].pid);
    const began = performance.now();
    await applyMigrations(client, migrationsFolder, [name]);
    const seconds = Math.round(performance.now() - began) / 1_000;
    const { ms, on } = await watch.stop();
    table[name] = { seconds, 'longest lock at most, ms': Math.round(ms), on };
  }
  client.release(true);
  console.log(
    `\n${gifts.toLocaleString('en')} gifts. Locks that stop writes or reads, looked at every few milliseconds:\n`,
  );
  console.table(table);

  /** Looks at the locks of a session on tables again and again. The time from the look before the first that shows a lock to the one after the last is the longest that it can have been held. */
  function watchLocks(pid: number): { stop(): Promise<{ ms: number; on: string }> } {
    let isOver = false;
    let longest = { ms: 0, on: '' };
    const looking = (async () => {
      const since = new Map<string, number>();
      let before = performance.now();
      for (let isLast = false; !isLast; ) {
        isLast = isOver;
        const held = await database.query<{ name: string }>(
          `select distinct c.relname as name
             from pg_locks l
             join pg_class c on c.oid = l.relation
             join pg_stat_user_tables t on t.relid = c.oid
            where l.pid = $1 and l.granted and l.mode = any($2::text[]) and t.n_live_tup > 0`,
          [pid, stopping],
        );
        const now = performance.now();
        for (const { name } of held) since.set(name, since.get(name) ?? before);
        for (const [name, from] of since) {
          if (now - from > longest.ms) longest = { ms: now - from, on: name };
          if (!held.some((one) => one.name === name)) since.delete(name);
        }
        before = now;
      }
    })();
    return {
      async stop() {
        isOver = true;
        await looking;
        return longest;
      },
    };
  }
} finally {
  await bench.close();
  await rm(folder, { recursive: true, force: true });
}

/** That release's own functions write rows of its schema. */
async function fillWithPreviousRelease(url: string): Promise<void> {
  const history = { members: gifts / 10, gifts, giftsPerOrder: 20, shoutouts: gifts, oneLeftIn: 20 };
  const script = `
    import { fill } from './bench/fill.ts';
    import { createAccess } from './bench/programs.ts';
    import { openDatabase } from './src/ground/database/database.ts';
    import { migrate } from './src/ground/database/migrate.ts';
    const database = openDatabase({ url: ${JSON.stringify(url)}, name: 'bench', maxConnections: 4, statementTimeoutMs: 3600000 });
    await migrate(database);
    const { workspaceId } = await createAccess(database, 1);
    await fill(database, { workspaceId, ...${JSON.stringify(history)} }, (share) => console.error(Math.round(share * 100) + ' % written'));
    await database.close();`;
  const args = ['--input-type=module', '--eval', script];
  const child = spawn(process.execPath, args, { cwd: release, stdio: ['ignore', 'inherit', 'inherit'] });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error('the database could not be filled');
}

function tenThousands(text: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count <= 0 || count % 10_000 !== 0)
    throw new InvalidArgumentError('It must be a whole number of ten thousands.');
  return count;
}
