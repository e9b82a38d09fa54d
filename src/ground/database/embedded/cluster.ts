import { type SpawnOptions, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, chown, lstat, mkdir, open, readdir, rename, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Failure } from '../../errors.ts';
import { databaseAccount, enter, optionsAs, type SystemAccount } from './account.ts';
import { findBinaries } from './binaries.ts';
import { sweepDrafts, withDraft } from './drafts.ts';
import { administrator, newClusterSql } from './roles.ts';
import { writeRules } from './rules.ts';

// Linux holds socket paths in 108 bytes, and the socket's own name takes 15 of them.
const longestSocketFolder = 90;

/** Where a data folder's PostgreSQL lives, and as whom. */
export interface Files {
  account: SystemAccount | null;
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
  const mode = process.getuid?.() === 0 ? 0o711 : 0o700;
  if (await mkdir(dataDir, { recursive: true, mode })) await chmod(dataDir, mode);
  const clusterDir = join(dataDir, 'postgres');
  const account = await databaseAccount(clusterDir);
  const socketDir = await chooseSocketFolder(dataDir, account);
  await mkdir(socketDir, { recursive: true, mode: 0o700 });
  const owner = await lstat(socketDir);
  const isOurs = owner.uid === process.getuid?.() || owner.uid === account?.uid;
  if (!owner.isDirectory() || !isOurs) throw notOurs(dataDir);
  await chmod(socketDir, 0o700);
  if (account) await chown(socketDir, account.uid, account.gid);
  return { account, dataDir, clusterDir, socketDir, logFile: join(dataDir, 'postgres.log') };
}

/** In the data folder, unless the path is too long or PostgreSQL may not pass through that folder. */
async function chooseSocketFolder(dataDir: string, account: SystemAccount | null): Promise<string> {
  const inside = join(dataDir, 'socket');
  const isPassable = account === null || ((await stat(dataDir)).mode & 0o001) !== 0;
  if (isPassable && Buffer.byteLength(inside) <= longestSocketFolder) return inside;
  return join(tmpdir(), `giftwire-${createHash('sha256').update(dataDir).digest('hex').slice(0, 16)}`);
}

function notOurs(dataDir: string): Failure {
  return new Failure(
    'setup',
    `The data folder ${dataDir} belongs to another user: run as that user, or set GIFTWIRE_DATA_DIR to another folder.`,
  );
}

/** A cluster appears under its name only when it is complete: a crash on the way leaves a draft to be swept away. */
export async function initialise(files: Files): Promise<void> {
  const { account, dataDir, clusterDir } = files;
  await sweepDrafts(dataDir);
  if (!isComplete(clusterDir)) await withDraft(dataDir, account, (draft) => makeCluster(files, draft));
  await writeRules(account, clusterDir);
}

function isComplete(clusterDir: string): boolean {
  return existsSync(join(clusterDir, 'PG_VERSION'));
}

async function makeCluster({ account, dataDir, clusterDir }: Files, draft: string): Promise<void> {
  try {
    await refuseOtherFiles(clusterDir);
    await fillDraft(account, draft);
    await rename(draft, clusterDir);
    await flushFolder(dataDir);
  } catch (cause) {
    // Another start was faster; its cluster is as good.
    if (isComplete(clusterDir)) return;
    throw new Failure(
      'setup',
      `The embedded PostgreSQL could not be made in ${clusterDir}: ${(cause as Error).message}`,
      { cause },
    );
  }
}

/** Before the cluster is made, which takes a moment. */
async function refuseOtherFiles(clusterDir: string): Promise<void> {
  const files = await readdir(clusterDir).catch(() => []);
  if (files.length > 0) throw new Error('there are other files.');
}

async function fillDraft(account: SystemAccount | null, draft: string): Promise<void> {
  const binaries = await findBinaries(account);
  const { cwd, path } = await enter(account, draft);
  const run = (program: string, args: string[], input: string) =>
    runProgram(program, args, input, optionsAs(account, cwd));
  const settings = [
    `--username=${administrator}`,
    '--encoding=UTF8',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--locale=C',
    '--auth-local=reject',
    '--auth-host=reject',
    '--data-checksums',
  ];
  await run(binaries.initdb, [`--pgdata=${path}`, ...settings], '');
  await writeRules(account, draft);
  await run(binaries.postgres, ['--single', '-D', path, '-c', 'exit_on_error=on', 'postgres'], newClusterSql);
}

function runProgram(program: string, args: string[], input: string, options: SpawnOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { ...options, stdio: ['pipe', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk) => {
        output += chunk;
      });
    }
    child.once('error', reject);
    child.once('close', (code) => (code === 0 ? resolve() : reject(new Error(lastLine(output)))));
    // A program that has ended without reading closes its end.
    child.stdin?.on('error', () => {});
    child.stdin?.end(input);
  });
}

/** The new name survives a power cut, as everything does that is written in the cluster from now on. */
async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

export function lastLine(text: string): string {
  return text.trim().split('\n').at(-1) ?? '';
}
