import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { chown, mkdir, open, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { databaseAccount, optionsAs } from '../../src/ground/database/embedded/account.ts';
import { administrator, connectionUrl, serviceRole } from '../../src/ground/database/embedded/roles.ts';
import { within } from '../support/eventually.ts';
import { ask } from '../support/own-server.ts';
import { Scope } from '../support/scope.ts';
import { familyOf, isInstalled, signal } from '../support/system.ts';
import { type Cluster, prepareCluster } from './cluster.ts';
import { Skipped } from './fault.ts';

/** Two PostgreSQLs with synchronous replication, which Patroni and etcd keep. The service knows both, and no load balancer. */
export interface PatroniCluster extends Cluster {
  primary(): Promise<Member>;
  standby(): Promise<Member>;
}

export interface Member {
  name: string;
  /** The folder of its data, and of nothing else: a copy of the socket's lock would keep a standby from starting. */
  data: string;
  /** The folder of its socket. */
  socket: string;
  api: string;
  /** Patroni and PostgreSQL. */
  processes(): Promise<number[]>;
  /** Patroni alone. */
  patroni(): Promise<number[]>;
  /** Starts Patroni again, and with it PostgreSQL. */
  start(): Promise<void>;
}

/** The lease of the primary: this long after its last sign of life another one may take over. */
export const leaseSeconds = 20;
const loopSeconds = 2;
const startWithinMs = 60_000;

/** `disk` makes the folder of a member's data, for example a small disk. */
export async function openPatroniCluster(
  scope: Scope,
  folder: string,
  disk: (scope: Scope, folder: string) => Promise<void> = async (_scope, folder) => void (await mkdir(folder)),
): Promise<PatroniCluster> {
  const missing = ['patroni', 'etcd'].filter((program) => !isInstalled(program));
  const [programs] = globSync('/usr/lib/postgresql/*/bin/pg_rewind').sort().toReversed();
  if (missing.length > 0 || !programs)
    throw new Skipped("it needs Debian's packages patroni, etcd-server and postgresql");
  // Closed last: databases are dropped before.
  const servers = new Scope(scope.keepsFolders, scope.patience);
  await scope.defer(() => servers.close());
  // A network of its own, so that several runs can have the usual ports.
  const network = `127.${77 + (process.pid % 100)}.${1 + (Date.now() % 250)}`;
  await startEtcd(servers, folder, `${network}.9`);
  const members: Member[] = [];
  for (const [nth, name] of ['one', 'two'].entries()) {
    const member = await addMember(servers, {
      folder,
      name,
      address: `${network}.${nth + 1}`,
      etcd: `${network}.9`,
      bin: dirname(programs),
      disk,
    });
    await member.start();
    await expectWithin(servers, `${name} does not start`, () => isRunning(member));
    members.push(member);
  }
  const withRole = async (role: 'primary' | 'standby'): Promise<Member> => {
    for (const member of members) if ((await roleOf(member)) === role) return member;
    throw new Error(`there is no ${role}`);
  };
  const primary = () => withRole('primary');
  const both = members.map(({ socket }) => socket).join(',');
  await ask(connectionUrl((await primary()).socket, administrator, 'postgres'), `create role ${serviceRole} login`);
  const isSynchronous = async () => {
    const rows = await ask<{ sync: string }>(
      connectionUrl((await primary()).socket, administrator, 'postgres'),
      `select sync_state as sync from pg_stat_replication where sync_state = 'sync'`,
    );
    return rows.length > 0;
  };
  await expectWithin(servers, 'there is no synchronous standby', isSynchronous);
  const cluster = await prepareCluster(folder, '', both);
  return {
    ...cluster,
    primary,
    standby: () => withRole('standby'),
    processes: async () => (await primary()).processes(),
  };
}

interface NewMember {
  folder: string;
  name: string;
  address: string;
  etcd: string;
  bin: string;
  disk: (scope: Scope, folder: string) => Promise<void>;
}

async function addMember(scope: Scope, { folder, name, address, etcd, bin, disk }: NewMember): Promise<Member> {
  const home = join(folder, name);
  await disk(scope, home);
  const data = join(home, 'data');
  const socket = join(home, 'socket');
  for (const one of [data, socket]) await mkdir(one, { mode: 0o700 });
  const account = await databaseAccount(data);
  if (account) for (const one of [home, data, socket]) await chown(one, account.uid, account.gid);
  const file = join(home, 'patroni.json');
  await writeFile(file, JSON.stringify(settingsOf({ name, address, etcd, bin, data, socket })));
  const log = await open(join(folder, `${name}.log`), 'a');
  await scope.defer(() => log.close());
  let patroni: ChildProcess | null = null;
  const postgres = async () => {
    const pid = Number((await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n')[0]);
    return pid ? familyOf(pid) : [];
  };
  const family = () =>
    patroni?.pid && patroni.exitCode === null && patroni.signalCode === null ? familyOf(patroni.pid) : [];
  const processes = async () => [...new Set([...family(), ...(await postgres())])];
  await scope.defer(async () => {
    for (const pid of await processes()) signal(pid, 'SIGKILL');
  });
  return {
    name,
    data,
    socket,
    api: `http://${address}:8008`,
    processes,
    async patroni() {
      const others = new Set(await postgres());
      return family().filter((pid) => !others.has(pid));
    },
    async start() {
      const options = optionsAs(account);
      patroni = spawn('patroni', [file], { ...options, stdio: ['ignore', log.fd, log.fd] });
    },
  };
}

function settingsOf({
  name,
  address,
  etcd,
  bin,
  data,
  socket,
}: Omit<NewMember, 'folder' | 'disk'> & { data: string; socket: string }): object {
  return {
    scope: 'giftwire',
    name,
    restapi: { listen: `${address}:8008`, connect_address: `${address}:8008` },
    etcd3: { host: `${etcd}:2379` },
    bootstrap: {
      dcs: {
        ttl: leaseSeconds,
        loop_wait: loopSeconds,
        retry_timeout: 3,
        synchronous_mode: true,
        postgresql: {
          use_pg_rewind: true,
          parameters: { max_connections: 200, wal_log_hints: 'on', wal_keep_size: '64MB' },
        },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }],
    },
    postgresql: {
      listen: `${address}:5432`,
      connect_address: `${address}:5432`,
      bin_dir: bin,
      data_dir: data,
      pgpass: `${data}.pass`,
      use_unix_socket: true,
      pg_hba: [
        'local all all trust',
        'local replication all trust',
        'host all all 127.0.0.0/8 trust',
        'host replication all 127.0.0.0/8 trust',
      ],
      authentication: {
        superuser: { username: administrator },
        replication: { username: 'replicator' },
        rewind: { username: administrator },
      },
      parameters: { unix_socket_directories: socket },
    },
  };
}

async function startEtcd(scope: Scope, folder: string, address: string): Promise<void> {
  const url = (port: number) => `http://${address}:${port}`;
  const child = spawn(
    'etcd',
    [
      ...['--data-dir', join(folder, 'etcd'), '--name', 'one'],
      ...['--listen-client-urls', url(2379), '--advertise-client-urls', url(2379)],
      ...[
        '--listen-peer-urls',
        url(2380),
        '--initial-advertise-peer-urls',
        url(2380),
        '--initial-cluster',
        `one=${url(2380)}`,
      ],
    ],
    { stdio: 'ignore', env: { ...process.env, ETCD_UNSUPPORTED_ARCH: process.arch } },
  );
  const ended = once(child, 'exit');
  await scope.defer(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  await expectWithin(scope, 'etcd does not start', async () => (await fetch(`${url(2379)}/health`)).ok);
}

async function expectWithin(scope: Scope, problem: string, ask: () => Promise<boolean>): Promise<void> {
  if (!(await within(startWithinMs * scope.patience, () => ask().catch(() => false), 200))) throw new Error(problem);
}

async function isRunning({ api }: Member): Promise<boolean> {
  const { state } = (await (await fetch(`${api}/patroni`, short())).json()) as { state: string };
  return state === 'running';
}

async function roleOf({ api }: Member): Promise<'primary' | 'standby' | null> {
  const responds = (path: string) =>
    fetch(`${api}/${path}`, short()).then(
      ({ ok }) => ok,
      () => false,
    );
  if (await responds('primary')) return 'primary';
  return (await responds('replica')) ? 'standby' : null;
}

const short = () => ({ signal: AbortSignal.timeout(2_000) });
