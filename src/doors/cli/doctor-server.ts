import { statfs } from 'node:fs/promises';
import { performance } from 'node:perf_hooks';
import type { Config } from '../../ground/config/config.ts';
import { type Queryable, queryOne } from '../../ground/database/database.ts';
import { listenersOf, mostConnections, pools } from '../../ground/database/pools.ts';
import { readStandbys } from '../../ground/database/standbys.ts';
import type { Finding } from './finding.ts';
import { counted } from './output.ts';

/** From where on something is a problem. */
const usualLimits = {
  lagSeconds: 60,
  transactionSeconds: 15 * 60,
  clockSeconds: 5,
  freeBytes: 2 ** 30,
  deadRows: 100_000,
};

/** What operators would see on the database server, as far as the role of the service may see it. */
export async function examineServer(
  database: Queryable,
  config: ServerConfig,
  limits: Partial<typeof usualLimits> = {},
): Promise<Finding[]> {
  const { lagSeconds, transactionSeconds, clockSeconds, freeBytes, deadRows } = { ...usualLimits, ...limits };
  return [
    await examineConnections(database, config),
    await examineClock(database, clockSeconds),
    ...(await examineDisk(config, freeBytes)),
    await examineReplication(database, lagSeconds),
    ...(await examineTransactions(database, transactionSeconds)),
    ...(await examineBloat(database, deadRows)),
  ];
}

type ServerConfig = Pick<Config, 'role' | 'processes' | 'databaseUrl' | 'dataDir'>;

/** The processes that run now, or those of this node if they are more. Each is taken for one of this node's role. */
async function examineConnections(database: Queryable, { role, processes }: ServerConfig): Promise<Finding> {
  const { limit, listeners } = await queryOne<{ limit: number; listeners: number }>(
    database,
    `select least(current_setting('max_connections')::int
                    - current_setting('superuser_reserved_connections')::int
                    - coalesce(current_setting('reserved_connections', true)::int, 0),
                  (select nullif(rolconnlimit, -1) from pg_roles where rolname = current_user),
                  (select nullif(datconnlimit, -1) from pg_database where datname = current_database())) as limit,
            (select count(*)::int from pg_stat_activity
              where datname = current_database() and application_name = 'giftwire listener') as listeners`,
  );
  const all = Math.max(processes, Math.ceil(listeners / listenersOf(role)));
  const most = all * mostConnections(role) + pools.commands.maxConnections;
  const ok = most <= limit;
  return {
    check: 'connections',
    ok,
    detail: `${counted(all, 'process', 'processes')} and a command may open ${most}; the server allows ${limit}`,
    ...(!ok && {
      advice: `Set max_connections of PostgreSQL to ${most + 20} or more, or run fewer processes: without a connection, requests get 503.`,
    }),
  };
}

async function examineClock(database: Queryable, mostSeconds: number): Promise<Finding> {
  const before = performance.now();
  const { ms } = await queryOne<{ ms: number }>(
    database,
    `select extract(epoch from clock_timestamp())::float8 * 1000 as ms`,
  );
  const tookMs = performance.now() - before;
  const seconds = (Date.now() - tookMs / 2 - ms) / 1_000;
  const ok = Math.abs(seconds) <= mostSeconds;
  return {
    check: 'clock',
    ok,
    detail: ok
      ? 'as on the database server'
      : `${Math.round(Math.abs(seconds))} s ${seconds > 0 ? 'ahead of' : 'behind'} the database server`,
    ...(!ok && { advice: 'Set both clocks by NTP: signatures and sessions are checked by them.' }),
  };
}

/** Only of the embedded database: the disk of another server cannot be seen from here. */
async function examineDisk({ databaseUrl, dataDir }: ServerConfig, leastFreeBytes: number): Promise<Finding[]> {
  if (databaseUrl !== null) return [];
  const { bavail, blocks, bsize } = await statfs(dataDir);
  const free = bavail * bsize;
  const ok = free >= leastFreeBytes;
  const detail = `${(free / 2 ** 30).toFixed(1)} GiB free, ${Math.floor((100 * bavail) / blocks)} %, for ${dataDir}`;
  const advice = 'Make room: with a full disk no order can be stored.';
  return [{ check: 'disk', ok, detail, ...(!ok && { advice }) }];
}

async function examineReplication(database: Queryable, mostLagSeconds: number): Promise<Finding> {
  const check = 'replication';
  const { count, lagSeconds } = await readStandbys(database);
  if (count === 0) return { check, ok: true, isNote: true, detail: 'no standby server is connected' };
  const standbys = counted(count, 'standby', 'standbys');
  if (Number.isNaN(lagSeconds)) {
    const detail = `${standbys}; how far behind can be seen with "grant pg_read_all_stats" to the role of the service`;
    return { check, ok: true, isNote: true, detail };
  }
  const ok = lagSeconds <= mostLagSeconds;
  const advice = 'Look at the network and the disk of the standby: a failover would lose this time.';
  return { check, ok, detail: `${standbys}, ${lagSeconds.toFixed(1)} s behind`, ...(!ok && { advice }) };
}

/** Giftwire's own sessions that may take as long as they need, by the names of their connections. */
const longWork: Readonly<Record<string, string>> = {
  [`giftwire ${pools.backup.name}`]: 'a backup',
  [`giftwire ${pools.migrations.name}`]: 'a migration or a restore',
  [`giftwire ${pools.verification.name}`]: 'a verification of the ledger',
  [`giftwire ${pools.longCommands.name}`]: 'a long command: a verification, a move or a removal of old records',
};

async function examineTransactions(database: Queryable, longestSeconds: number): Promise<Finding[]> {
  const open = await database.query<{ pid: number; name: string; seconds: number }>(
    `select pid, application_name as name, extract(epoch from clock_timestamp() - xact_start)::float8 as seconds
       from pg_stat_activity
      where datname = current_database()
        and pid <> pg_backend_pid()
        and backend_type = 'client backend'
        and xact_start < clock_timestamp() - make_interval(secs => $1)
      order by xact_start`,
    [longestSeconds],
  );
  const list = (some: typeof open) =>
    `open: ${some
      .map(
        ({ pid, name, seconds }) =>
          `${longWork[name] ?? (name || 'a client')} (pid ${pid}) for ${Math.round(seconds / 60)} min`,
      )
      .join(', ')}`;
  const check = 'transactions';
  const own = open.filter(({ name }) => name in longWork);
  const others = open.filter(({ name }) => !(name in longWork));
  const advice = 'It may hold locks, and keeps old rows from being removed. End it: select pg_terminate_backend(pid).';
  return [
    ...(own.length > 0
      ? [{ check, ok: true, isNote: true, detail: `${list(own)}; it ends by itself` } satisfies Finding]
      : []),
    ...(others.length > 0 ? [{ check, ok: false, detail: list(others), advice } satisfies Finding] : []),
  ];
}

/** Tables with many rows that autovacuum has not removed yet. */
async function examineBloat(database: Queryable, manyDeadRows: number): Promise<Finding[]> {
  const tables = await database.query<{ name: string; dead: number; live: number }>(
    `select relname as name, n_dead_tup::float8 as dead, n_live_tup::float8 as live
       from pg_stat_user_tables
      where schemaname = current_schema() and n_dead_tup > $1 and n_dead_tup > n_live_tup
      order by n_dead_tup desc
      limit 5`,
    [manyDeadRows],
  );
  if (tables.length === 0) return [];
  const list = tables.map(
    ({ name, dead, live }) => `${name} (${dead.toLocaleString('en')} dead, ${live.toLocaleString('en')} live rows)`,
  );
  const advice =
    'Is autovacuum on, and does a long transaction or a replication slot hold it up? Then: vacuum analyze.';
  return [{ check: 'bloat', ok: false, detail: list.join(', '), advice }];
}
