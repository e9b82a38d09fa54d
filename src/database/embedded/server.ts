import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, chown, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { Failure } from '../../errors.ts';
import { type Account, commandAs, databaseAccount } from './account.ts';
import { findBinaries } from './binaries.ts';

export interface EmbeddedOptions {
  dataDir: string;
  /** The service holds its data folder alone; a command of the CLI may come and go beside it. */
  exclusive: boolean;
  onNotice?: (message: string) => void;
}

export interface EmbeddedServer {
  connection: pg.ClientConfig;
  stop(): Promise<void>;
}

const user = 'giftwire';
const database = 'giftwire';
// Session locks in the maintenance database. They vanish with their process, however it ends: whoever holds the
// first one uses the server, whoever gets it exclusively is the last and turns off the light.
const inUseLock = 1;
const serviceLock = 2;
const startTimeoutMs = 30_000;
const stopTimeoutMs = 7_000;
// Linux holds socket paths in 108 bytes, and the socket's own name takes 15 of them.
const longestSocketFolder = 90;

/** Joins the PostgreSQL of a data folder, making and starting it as needed: an orphan of a crash is simply joined. */
export async function openEmbeddedServer(options: EmbeddedOptions): Promise<EmbeddedServer> {
  const files = await prepareFolders(options.dataDir).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EACCES' || error.code === 'EPERM' ? notOurs(options.dataDir) : error;
  });
  await initialise(files);
  let keeper = await joinServer(files);
  let stopping = false;
  try {
    if (options.exclusive) await claimService(keeper, options.dataDir);
    await createDatabase(keeper);
  } catch (error) {
    await keeper.end().catch(() => {});
    throw error;
  }

  const watch = (client: pg.Client) => client.once('end', () => void rejoin());
  const rejoin = async () => {
    while (!stopping) {
      options.onNotice?.('The embedded PostgreSQL has gone away: starting it again.');
      try {
        keeper = await joinServer(files);
        if (options.exclusive) await claimService(keeper, options.dataDir);
        watch(keeper);
        return;
      } catch (error) {
        options.onNotice?.(`The embedded PostgreSQL does not start: ${(error as Error).message}`);
        await sleep(1_000);
      }
    }
  };
  watch(keeper);

  return {
    connection: { host: files.socketDir, user, database },
    async stop() {
      stopping = true;
      await leave(keeper, files);
    },
  };
}

interface Files {
  account: Account | null;
  dataDir: string;
  clusterDir: string;
  socketDir: string;
  logFile: string;
}

async function prepareFolders(dataDir: string): Promise<Files> {
  // Only root's PostgreSQL is another user than the service, and has to pass through this folder.
  await mkdir(dataDir, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 });
  const clusterDir = join(dataDir, 'postgres');
  const account = await databaseAccount(clusterDir);
  let socketDir = join(dataDir, 'socket');
  if (Buffer.byteLength(socketDir) > longestSocketFolder)
    socketDir = join(tmpdir(), `giftwire-${createHash('sha256').update(dataDir).digest('hex').slice(0, 16)}`);
  await mkdir(socketDir, { recursive: true, mode: 0o700 });
  const owner = await stat(socketDir);
  if (owner.uid !== process.getuid?.() && owner.uid !== account?.uid) throw notOurs(dataDir);
  await chmod(socketDir, 0o700);
  if (account) await chown(socketDir, account.uid, account.gid);
  return { account, dataDir, clusterDir, socketDir, logFile: join(dataDir, 'postgres.log') };
}

function notOurs(dataDir: string): Failure {
  return new Failure(
    'setup',
    `The data folder ${dataDir} belongs to another user: run as that user, or set GIFTWIRE_DATA_DIR to another folder.`,
  );
}

/** A cluster appears under its name only when it is complete: a crash on the way leaves a folder to be swept away. */
async function initialise({ account, dataDir, clusterDir }: Files): Promise<void> {
  for (const name of await readdir(dataDir)) {
    const pid = /^postgres\.new-(\d+)$/.exec(name)?.[1];
    if (pid && !isAlive(Number(pid))) await rm(join(dataDir, name), { recursive: true });
  }
  if (existsSync(join(clusterDir, 'PG_VERSION'))) return;
  const binaries = await findBinaries();
  const draft = join(dataDir, `postgres.new-${process.pid}`);
  await mkdir(draft, { mode: 0o700 });
  if (account) await chown(draft, account.uid, account.gid);
  const command = await commandAs(account, [binaries.directory, draft], binaries.initdb, [
    `--pgdata=${draft}`,
    `--username=${user}`,
    '--encoding=UTF8',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--locale=C',
    '--auth-local=trust',
    '--auth-host=reject',
    '--data-checksums',
  ]);
  const output = await new Promise<string | null>((resolve, reject) => {
    const child = spawn(command.program, command.args, { ...command.options, stdio: ['ignore', 'pipe', 'pipe'] });
    let text = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk) => {
        text += chunk;
      });
    }
    child.once('error', reject);
    child.once('close', (code) => resolve(code === 0 ? null : text));
  });
  if (output !== null) {
    await rm(draft, { recursive: true });
    throw new Failure('setup', `The embedded PostgreSQL could not be made in ${dataDir}: ${lastLine(output)}`);
  }
  await rename(draft, clusterDir).catch(async (error: NodeJS.ErrnoException) => {
    // Another start was faster; its cluster is as good.
    await rm(draft, { recursive: true });
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
  });
}

/** Connects to the server of this folder, starting one whenever none lives, until one of them answers. */
async function joinServer(files: Files): Promise<pg.Client> {
  const deadline = Date.now() + startTimeoutMs;
  let starting = false;
  let starts = 0;
  let failure: unknown;
  while (Date.now() < deadline) {
    const client = await connect(files);
    if (client) {
      await client.query('select pg_advisory_lock_shared($1)', [inUseLock]);
      return client;
    }
    if (!starting && (await livingPostmaster(files)) === null) {
      if (++starts > 5 || failure) break;
      starting = true;
      startServer(files)
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

async function connect(files: Files): Promise<pg.Client | null> {
  const client = new pg.Client({ host: files.socketDir, user, database: 'postgres', connectionTimeoutMillis: 2_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    return client;
  } catch {
    return null;
  }
}

/** Resolves when the server has exited. It has a process group of its own, so that Ctrl-C does not reach it first. */
async function startServer(files: Files): Promise<void> {
  const binaries = await findBinaries();
  const settings = {
    listen_addresses: '',
    unix_socket_directories: `"${files.socketDir.replaceAll('"', '""')}"`,
    unix_socket_permissions: '0700',
    max_connections: '200',
    shared_buffers: '256MB',
    max_wal_size: '2GB',
    jit: 'off',
    log_checkpoints: 'off',
    autovacuum_naptime: '15s',
  };
  const args = [
    '-D',
    files.clusterDir,
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ];
  const command = await commandAs(files.account, [binaries.directory, files.clusterDir], binaries.postgres, args);
  const log = await open(files.logFile, 'w', 0o600);
  try {
    const child = spawn(command.program, command.args, {
      ...command.options,
      detached: true,
      stdio: ['ignore', log.fd, log.fd],
    });
    child.unref();
    await new Promise<void>((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', () => resolve());
    });
  } finally {
    await log.close();
  }
}

async function livingPostmaster(files: Files): Promise<number | null> {
  const lockFile = join(files.clusterDir, 'postmaster.pid');
  const pid = Number((await readFile(lockFile, 'utf8').catch(() => '')).split('\n')[0]);
  if (!pid || !isAlive(pid)) return null;
  const commandLine = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => null);
  if (commandLine === null || commandLine.includes('postgres')) return pid;
  // The number has gone to another program since the crash, and PostgreSQL would take that for a rival.
  await rm(lockFile, { force: true });
  return null;
}

async function claimService(keeper: pg.Client, dataDir: string): Promise<void> {
  // A predecessor that was killed a moment ago may still hold the lock until the server has noticed.
  for (let attempt = 0; attempt < 8; attempt++) {
    const { rows } = await keeper.query('select pg_try_advisory_lock($1) as mine', [serviceLock]);
    if (rows[0].mine) return;
    await sleep(250);
  }
  throw new Failure('setup', `Giftwire is already running on the data folder ${dataDir}.`);
}

async function createDatabase(keeper: pg.Client): Promise<void> {
  const { rows } = await keeper.query('select 1 from pg_database where datname = $1', [database]);
  if (rows.length > 0) return;
  await keeper.query(`create database ${database}`).catch((error: pg.DatabaseError) => {
    const madeMeanwhile = error.code === '42P04' || error.code === '23505';
    if (!madeMeanwhile) throw error;
  });
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

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  // Where process 1 does not collect orphans, as in many containers, a dead one stays listed as a zombie.
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return true;
  }
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1) ?? '';
}
