import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { Failure } from '../../errors.ts';
import { rememberStorage } from '../history.ts';
import { type Files, initialise, lastLine, prepareFolders } from './cluster.ts';
import { abandonedAfterMs, sweepDrafts } from './drafts.ts';
import { livingPostmaster, reloadRules, startServer } from './postmaster.ts';
import { isAlive } from './process.ts';
import { addServiceRole, connectionUrl, lacksServiceRole, serviceDatabase, serviceRole } from './roles.ts';

export interface EmbeddedOptions {
  dataDir: string;
  /** The service has its data folder alone; commands of the CLI may use it at the same time. */
  exclusive: boolean;
  onNotice?: (message: string) => void;
}

export interface EmbeddedServer {
  url: string;
  stop(): Promise<void>;
}

// Session locks in the maintenance database, which end with their process. Every process that uses the server shares the
// first one; the process that gets it exclusively is the last one and stops the server.
const inUseLock = 1;
const serviceLock = 2;
const startTimeoutMs = 30_000;
const retryStartMs = 8_000;
const stopTimeoutMs = 3_500;

/** Connects to the PostgreSQL of a data folder, after making or starting it if needed. A crash may have left it running. */
export async function openEmbeddedServer(options: EmbeddedOptions): Promise<EmbeddedServer> {
  const files = await prepareFolders(options.dataDir);
  await initialise(files);
  let keeper = await joinServer(files);
  let stopping = false;
  try {
    if (options.exclusive) {
      await claimService(keeper, options.dataDir);
      await reloadRules(files);
    }
  } catch (error) {
    await leave(keeper, files);
    throw error;
  }

  let rejoining: Promise<void> = Promise.resolve();
  const watch = (client: pg.Client) =>
    client.once('end', () => {
      if (!stopping) rejoining = rejoin();
    });
  const rejoin = async () => {
    while (!stopping) {
      options.onNotice?.('The embedded PostgreSQL has gone away: starting it again.');
      try {
        const joined = await joinServer(files);
        if (options.exclusive) await claimService(joined, options.dataDir).catch((error) => endAnd(joined, error));
        keeper = joined;
        watch(keeper);
        return;
      } catch (error) {
        options.onNotice?.(`The embedded PostgreSQL does not start: ${(error as Error).message}`);
        await sleep(1_000);
      }
    }
  };
  watch(keeper);
  const url = connectionUrl(files.socketDir, serviceRole, serviceDatabase);
  rememberStorage(url, await identifyStorage(files));
  // The draft of a start that was killed just now looks like one under way. By the time of this sweep it does not.
  const sweeping = setTimeout(() => sweepDrafts(files.dataDir).catch(() => {}), 2 * abandonedAfterMs).unref();

  return {
    url,
    async stop() {
      stopping = true;
      clearTimeout(sweeping);
      await rejoining;
      await leave(keeper, files);
    },
  };
}

/**
 * What changes when an earlier state of the data folder is put back. PostgreSQL writes the first file once, so it is another one in a copy. It
 * overwrites the second one in place, while a program that puts back only files that differ, as rsync does, replaces it.
 */
async function identifyStorage({ clusterDir }: Files): Promise<string> {
  const once = await stat(join(clusterDir, 'PG_VERSION'), { bigint: true });
  const inPlace = await stat(join(clusterDir, 'global/pg_control'), { bigint: true });
  return `${once.ino}.${once.birthtimeNs}.${inPlace.ino}`;
}

/** Connects to the server of this folder, starting one whenever none lives, until one of them answers. */
async function joinServer(files: Files): Promise<pg.Client> {
  const deadline = performance.now() + startTimeoutMs;
  const lastStart = performance.now() + retryStartMs;
  let starting = false;
  let failure: unknown;
  while (performance.now() < deadline) {
    const client = await connect(files);
    if (client) return client;
    if (!starting && (await livingPostmaster(files)) === null) {
      if (failure || performance.now() > lastStart) break;
      starting = true;
      // It may exit at once while child processes of a killed predecessor still run.
      startServer(files)
        .then(() => sleep(200))
        .catch((error) => {
          failure = error;
        })
        .finally(() => {
          starting = false;
        });
    }
    await sleep(25);
  }
  if (failure) throw failure;
  const log = await readFile(files.logFile, 'utf8').catch(() => '');
  throw new Failure('setup', `The embedded PostgreSQL does not start, see ${files.logFile}: ${lastLine(log)}`);
}

async function endAnd(client: pg.Client, error: unknown): Promise<never> {
  await client.end().catch(() => {});
  throw error;
}

async function connect(files: Files): Promise<pg.Client | null> {
  const client = new pg.Client({
    connectionString: connectionUrl(files.socketDir, serviceRole, 'postgres'),
    connectionTimeoutMillis: 2_000,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('select pg_advisory_lock_shared($1)', [inUseLock]);
    return client;
  } catch (error) {
    await client.end().catch(() => {});
    if (lacksServiceRole(error)) await addServiceRole(files.socketDir);
    // Otherwise it has not started yet, or its last user is stopping it.
    return null;
  }
}

async function claimService(keeper: pg.Client, dataDir: string): Promise<void> {
  // A service that was killed just now holds the lock until the server notices.
  for (let attempt = 0; attempt < 8; attempt++) {
    if (await tryLock(keeper, serviceLock)) return;
    await sleep(250);
  }
  throw new Failure(
    'setup',
    `Giftwire is already running on the data folder ${dataDir}: stop it first, or set DATABASE_URL to run several.`,
  );
}

async function tryLock(keeper: pg.Client, lock: number): Promise<boolean> {
  const { rows } = await keeper.query<{ isOurs: boolean }>('select pg_try_advisory_lock($1) as "isOurs"', [lock]);
  return rows.some(({ isOurs }) => isOurs);
}

/** The last process to leave stops the server. */
async function leave(keeper: pg.Client, files: Files): Promise<void> {
  try {
    await keeper.query('select pg_advisory_unlock_shared($1)', [inUseLock]);
    if (!(await tryLock(keeper, inUseLock))) return;
    const pid = await livingPostmaster(files);
    if (pid === null) return;
    process.kill(pid, 'SIGINT');
    const deadline = performance.now() + stopTimeoutMs;
    while (isAlive(pid) && performance.now() < deadline) await sleep(20);
    if (isAlive(pid)) process.kill(pid, 'SIGQUIT');
  } catch {
    // The server is gone already.
  } finally {
    await keeper.end().catch(() => {});
  }
}
