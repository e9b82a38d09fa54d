import { globSync } from 'node:fs';
import { rename, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { administrator, connectionUrl, serviceRole } from '../../src/ground/database/embedded/roles.ts';
import { within } from '../support/eventually.ts';
import { ask, copyPrimary, initialise, startServer } from '../support/own-server.ts';
import { Scope } from '../support/scope.ts';
import { familyOf, signal } from '../support/system.ts';
import { type Cluster, prepareCluster } from './cluster.ts';
import { Skipped } from './fault.ts';

/** A primary and its standbys, which get what it has written a little later. The service reaches the primary through a link. */
export interface ReplicatedCluster extends Cluster {
  addStandby(): Promise<Standby>;
  /** Writes megabytes that have nothing to do with the service. */
  writeMuch(): Promise<void>;
}

export interface Standby {
  /** Waits until it has what the primary has written so far. After this it gets nothing more. */
  cutOff(): Promise<void>;
  /** The primary is killed, and this one takes its place. */
  takeOver(): Promise<void>;
}

const stepWithinMs = 20_000;

export async function openReplicatedCluster(scope: Scope, folder: string): Promise<ReplicatedCluster> {
  const [programs] = globSync('/usr/lib/postgresql/*/bin/pg_basebackup').sort().toReversed();
  if (!programs) throw new Skipped("it needs Debian's PostgreSQL, for a standby");
  const bin = dirname(programs);
  // Closed last, also what is started late: databases are dropped before.
  const servers = new Scope(scope.keepsFolders, scope.patience);
  await scope.defer(() => servers.close());
  const link = join(folder, 'socket');
  const first = join(folder, 'primary');
  await initialise(bin, first);
  let primary = { data: first, pid: (await startServer(servers, bin, first)).pid as number };
  await symlink(first, link);
  await ask(urlOf(first), `create role ${serviceRole} login`);
  const cluster = await prepareCluster(folder, join(link, 'postmaster.pid'), link);
  let standbys = 0;

  const addStandby = async (): Promise<Standby> => {
    const data = join(folder, `standby-${++standbys}`);
    await copyPrimary(bin, primary.data, data);
    const pid = (await startServer(servers, bin, data)).pid as number;
    const step = async (what: string, isDone: () => Promise<boolean>) => {
      if (!(await within(stepWithinMs * scope.patience, isDone))) throw new Error(`the standby does not ${what}`);
    };
    return {
      async cutOff() {
        const [written] = await ask<{ lsn: string }>(urlOf(primary.data), 'select pg_current_wal_lsn() as lsn');
        await step('catch up', () => holds(data, `pg_last_wal_replay_lsn() >= '${written?.lsn}'`));
        await ask(urlOf(data), `alter system set primary_conninfo = ''`);
        await ask(urlOf(data), 'select pg_reload_conf()');
        await step('let go of the primary', () => holds(data, 'not exists (select from pg_stat_wal_receiver)'));
      },
      async takeOver() {
        for (const one of familyOf(primary.pid)) signal(one, 'SIGKILL');
        await ask(urlOf(data), 'select pg_promote()');
        await symlink(data, `${link}.new`);
        await rename(`${link}.new`, link);
        primary = { data, pid };
      },
    };
  };
  const writeMuch = async () => {
    await ask(
      urlOf(primary.data),
      'create table much as select repeat(md5(n::text), 30) from generate_series(1, 30000) n',
    );
  };
  return { ...cluster, addStandby, writeMuch };
}

async function holds(data: string, condition: string): Promise<boolean> {
  const [row] = await ask<{ holds: boolean | null }>(urlOf(data), `select ${condition} as holds`);
  return row?.holds === true;
}

function urlOf(data: string): string {
  return connectionUrl(data, administrator, 'postgres');
}
