import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, chown, lstat, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Failure } from '../../errors.ts';
import { type Account, commandAs, databaseAccount } from './account.ts';
import { findBinaries } from './binaries.ts';
import { isAlive } from './process.ts';

export const user = 'giftwire';
// Linux holds socket paths in 108 bytes, and the socket's own name takes 15 of them.
const longestSocketFolder = 90;

/** Where a data folder's PostgreSQL lives, and as whom. */
export interface Files {
  account: Account | null;
  dataDir: string;
  clusterDir: string;
  socketDir: string;
  logFile: string;
}

export async function prepareFolders(dataDir: string): Promise<Files> {
  try {
    return await makeFolders(dataDir);
  } catch (cause) {
    if (cause instanceof Failure) throw cause;
    const { code, message } = cause as NodeJS.ErrnoException;
    if (code === 'EACCES' || code === 'EPERM') throw notOurs(dataDir);
    throw new Failure('setup', `The data folder ${dataDir} cannot be used: ${message}.`, { cause });
  }
}

async function makeFolders(dataDir: string): Promise<Files> {
  // Only root's PostgreSQL is another user than the service, and has to pass through this folder.
  await mkdir(dataDir, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 });
  const clusterDir = join(dataDir, 'postgres');
  const account = await databaseAccount(clusterDir);
  let socketDir = join(dataDir, 'socket');
  if (Buffer.byteLength(socketDir) > longestSocketFolder)
    socketDir = join(tmpdir(), `giftwire-${createHash('sha256').update(dataDir).digest('hex').slice(0, 16)}`);
  await mkdir(socketDir, { recursive: true, mode: 0o700 });
  const owner = await lstat(socketDir);
  const isOurs = owner.uid === process.getuid?.() || owner.uid === account?.uid;
  if (!owner.isDirectory() || !isOurs) throw notOurs(dataDir);
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
export async function initialise({ account, dataDir, clusterDir }: Files): Promise<void> {
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

export function lastLine(text: string): string {
  return text.trim().split('\n').at(-1) ?? '';
}
