import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { Failure } from '../../errors.ts';
import { type Files, initialise, lastLine, prepareFolders } from './cluster.ts';
import { abandonedAfterMs, sweepDrafts } from './drafts.ts';
import { livingPostmaster, reloadRules, startServer } from './postmaster.ts';
import { isAlive } from './process.ts';
import { addServiceRole, connectionUrl, lacksServiceRole, serviceDatabase, serviceRole } from './roles.ts';

export interface EmbeddedOptions {
  dataDir: string;
  /** The service holds its data folder alone; a command of the CLI may come and go beside it. */
  exclusive: boolean;
  onNotice?: (message: string) => void;
}

export interface EmbeddedServer {
  url: string;
  stop(): Promise<void>;
}

// Session locks in the maintenance database. They vanish with their process, however it ends: whoever holds the
// first one uses the server, whoever gets it exclusively is the last and turns off the light.
const inUseLock = 1;
const serviceLock = 2;
const startTimeoutMs = 30_000;
const retryStartMs = 8_000;
const stopTimeoutMs = 3_500;

/** Joins the PostgreSQL of a data folder, making and starting it as needed: an orphan of a crash is simply joined. */
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
  // The draft of a start that was killed a moment ago looks like one that is under way; by then it does not.
  const sweeping = setTimeout(() => sweepDrafts(files.dataDir).catch(() => {}), 2 * abandonedAfterMs).unref();

  return {
    url: connectionUrl(files.socketDir, serviceRole, serviceDatabase),
    async stop() {
      stopping = true;
      clearTimeout(sweeping);
      await rejoining;
      await leave(keeper, files);
    },
  };
}

/** Connects to the server of this folder, starting one whenever none lives, until one of them answers. */
async function joinServer(files: Files): Promise<pg.Client> {
  const deadline = Date.now() + startTimeoutMs;
  const lastStart = Date.now() + retryStartMs;
  let starting = false;
  let failure: unknown;
  while (Date.now() < deadline) {
    const client = await connect(files);
    if (client) return client;
    if (!starting && (await livingPostmaster(files)) === null) {
      if (failure || Date.now() > lastStart) break;
      starting = true;
      // It may exit at once, as long as children of a killed predecessor still work.
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
    // Otherwise not there yet, or just being stopped by its last user.
    return null;
  }
}

async function claimService(keeper: pg.Client, dataDir: string): Promise<void> {
  // A predecessor that was killed a moment ago may still hold the lock until the server has noticed.
  for (let attempt = 0; attempt < 8; attempt++) {
    const { rows } = await keeper.query('select pg_try_advisory_lock($1) as mine', [serviceLock]);
    if (rows[0].mine) return;
    await sleep(250);
  }
  throw new Failure(
    'setup',
    `Giftwire is already running on the data folder ${dataDir}: stop it first, or set DATABASE_URL to run several.`,
  );
}

/** The last one to leave stops the server. */
async function leave(keeper: pg.Client, files: Files): Promise<void> {
  try {
    await keeper.query('select pg_advisory_unlock_shared($1)', [inUseLock]);
    const { rows } = await keeper.query('select pg_try_advisory_lock($1) as last', [inUseLock]);
    if (!rows[0].last) return;
    const pid = await livingPostmaster(files);
    if (pid === null) return;
    process.kill(pid, 'SIGINT');
    const deadline = Date.now() + stopTimeoutMs;
    while (isAlive(pid) && Date.now() < deadline) await sleep(20);
    if (isAlive(pid)) process.kill(pid, 'SIGQUIT');
  } catch {
    // The server is gone already, which is what was wanted.
  } finally {
    await keeper.end().catch(() => {});
  }
}
