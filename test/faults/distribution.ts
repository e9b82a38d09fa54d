import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { administrator, connectionUrl, serviceRole } from '../../src/ground/database/embedded/roles.ts';
import { initialise, startServer } from '../support/own-server.ts';
import type { Scope } from '../support/scope.ts';
import { administer, type Cluster, openEmbeddedCluster, prepareCluster } from './cluster.ts';
import { Skipped } from './fault.ts';

export interface DumpTools {
  folder: string;
  version: number;
}

const embeddedVersion = 18;

/** The newest pg_dump of this machine. */
export function findDumpTools(): DumpTools {
  const onPath = spawnSync('sh', ['-c', 'command -v pg_dump'], { encoding: 'utf8' }).stdout.trim();
  const found = [...globSync('/usr/lib/postgresql/*/bin/pg_dump'), ...(onPath ? [onPath] : [])].map((program) => ({
    folder: dirname(program),
    version: Number(/ (\d+)/.exec(spawnSync(program, ['--version'], { encoding: 'utf8' }).stdout)?.[1] ?? 0),
  }));
  const [newest] = found.sort((a, b) => b.version - a.version);
  if (!newest) throw new Skipped('there is no pg_dump on this machine');
  return newest;
}

/** A server that the machine's pg_dump can read: ours, or where that is too new for it, the machine's own. */
export async function openDumpableCluster(scope: Scope, folder: string): Promise<Cluster> {
  const { folder: bin, version } = findDumpTools();
  if (version >= embeddedVersion) return openEmbeddedCluster(scope, folder);
  if (spawnSync(join(bin, 'initdb'), ['--version']).status !== 0)
    throw new Skipped(`pg_dump ${version} is older than the embedded PostgreSQL and has no server beside it`);
  return openOwnCluster(scope, folder, bin);
}

/** A server of the given programs, with its default settings. */
export async function openOwnCluster(
  scope: Scope,
  folder: string,
  bin: string,
  env: Record<string, string> = {},
): Promise<Cluster> {
  const data = join(folder, 'cluster');
  await initialise(bin, data);
  await startServer(scope, bin, data, { env });
  await administer(connectionUrl(data, administrator, 'postgres'), `create role ${serviceRole} login`);
  return prepareCluster(folder, join(data, 'postmaster.pid'), data);
}
