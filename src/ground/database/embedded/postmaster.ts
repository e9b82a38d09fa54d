import { spawn } from 'node:child_process';
import { open, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { enter, optionsAs } from './account.ts';
import { findBinaries } from './binaries.ts';
import type { Files } from './cluster.ts';
import { isAlive, isListed } from './process.ts';

// Names the folder on the server's command line, also where its -D is /proc/self/cwd. Processes are told apart by it.
const folderSetting = 'giftwire.folder';
const largestLogBytes = 10 * 1024 * 1024;

/** Resolves when the server has exited. It has a process group of its own, so that Ctrl-C does not reach it first. */
export async function startServer(files: Files): Promise<void> {
  const { postgres } = await findBinaries(files.account);
  const { cwd, path } = await enter(files.account, files.clusterDir);
  const settings = {
    [folderSetting]: files.clusterDir,
    listen_addresses: '',
    unix_socket_directories: `"${socketFolder(files, path).replaceAll('"', '""')}"`,
    unix_socket_permissions: '0700',
    max_connections: '700',
    shared_buffers: '256MB',
    max_wal_size: '2GB',
    jit: 'off',
    log_checkpoints: 'off',
    autovacuum_naptime: '15s',
  };
  const args = ['-D', path, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
  const logSize = await stat(files.logFile).then(
    ({ size }) => size,
    () => 0,
  );
  const log = await open(files.logFile, logSize > largestLogBytes ? 'w' : 'a', 0o600);
  try {
    const child = spawn(postgres, args, {
      ...optionsAs(files.account, cwd),
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

/** The socket folder as the server reaches it: relative to its own folder if the folders above are closed to it. */
function socketFolder({ clusterDir, dataDir, socketDir }: Files, path: string): string {
  return path !== clusterDir && dirname(socketDir) === dataDir ? '../socket' : socketDir;
}

/** The process that serves this cluster, if there is one. */
export async function livingPostmaster({ clusterDir }: Files): Promise<number | null> {
  const lockFile = join(clusterDir, 'postmaster.pid');
  const lock = await readFile(lockFile, 'utf8').catch(() => '');
  const pid = Number(lock.split('\n')[0]);
  if (!pid || !isListed(pid)) return null;
  const commandLine = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => null);
  if (isAlive(pid) && (commandLine === null || serves(commandLine.split('\0'), clusterDir))) return pid;
  // A zombie, or another program that got the number since the crash: PostgreSQL would take it for a rival, but never
  // its own parent. The rest of the file stays, by which it sees whether children of the dead one still work.
  if (lock === (await readFile(lockFile, 'utf8').catch(() => '')))
    await writeFile(lockFile, lock.replace(/^\d+/, String(process.pid)));
  return null;
}

function serves(words: string[], clusterDir: string): boolean {
  return words.includes(clusterDir) || words.includes(`${folderSetting}=${clusterDir}`);
}

/** Makes a server that outlived its service read the rules of this version. */
export async function reloadRules(files: Files): Promise<void> {
  const pid = await livingPostmaster(files);
  if (pid !== null) process.kill(pid, 'SIGHUP');
}
