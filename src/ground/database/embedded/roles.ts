import pg from 'pg';
import { Failure } from '../../errors.ts';

/** The superuser, which `initdb` made. The service never connects as this role. */
export const administrator = 'giftwire';
/** Owns the service's database and has no rights beyond it: it cannot read files, run programs or become another role. */
export const serviceRole = 'giftwire_service';
export const serviceDatabase = 'giftwire';

const upgradeLock = 3;

/** Names port and TLS, because PGPORT and PGSSLMODE would decide otherwise: an operator sets them for another server. */
export function connectionUrl(socketDir: string, role: string, database: string): string {
  return `postgres://${role}@localhost:5432/${database}?host=${encodeURIComponent(socketDir)}&sslmode=disable`;
}

/** What a new cluster gets before anyone can connect to it. */
export const newClusterSql = `
create role ${serviceRole} login;
create database ${serviceDatabase} owner ${serviceRole};
`;

export function lacksServiceRole(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '28000' && error.message.includes(serviceRole);
}

/**
 * In clusters of earlier versions everything belongs to the superuser, which the service connected as. Everything is
 * handed over to the service's role in the transaction that makes that role: a start that is killed has changed nothing.
 */
export async function addServiceRole(socketDir: string): Promise<void> {
  try {
    await asAdministrator(socketDir, 'postgres', createDatabase);
    await asAdministrator(socketDir, serviceDatabase, handOver);
  } catch (cause) {
    throw new Failure(
      'setup',
      `The embedded PostgreSQL was made by an earlier version and could not be upgraded: ${(cause as Error).message}.`,
      { cause },
    );
  }
}

async function asAdministrator(
  socketDir: string,
  database: string,
  work: (client: pg.Client) => Promise<void>,
): Promise<void> {
  const client = new pg.Client(connectionUrl(socketDir, administrator, database));
  client.on('error', () => {});
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end().catch(() => {});
  }
}

/** An earlier version that was killed during its first start may have left it out. */
async function createDatabase(client: pg.Client): Promise<void> {
  const { rows } = await client.query('select from pg_database where datname = $1', [serviceDatabase]);
  if (rows.length > 0) return;
  await client.query(`create database ${serviceDatabase}`).catch((error: pg.DatabaseError) => {
    const madeMeanwhile = error.code === '42P04' || error.code === '23505';
    if (!madeMeanwhile) throw error;
  });
}

async function handOver(client: pg.Client): Promise<void> {
  await client.query('begin');
  await client.query('select pg_advisory_xact_lock($1)', [upgradeLock]);
  const { rows } = await client.query('select from pg_roles where rolname = $1', [serviceRole]);
  if (rows.length > 0) return;
  // A service of the earlier version may still be running: its transactions are short.
  await client.query(`set local lock_timeout = '20s'`);
  await client.query(`create role ${serviceRole} login`);
  await client.query(`alter database ${serviceDatabase} owner to ${serviceRole}`);
  const { rows: commands } = await client.query<{ command: string }>(handOverSql, [serviceRole]);
  for (const { command } of commands) await client.query(command);
  await client.query('commit');
}

// "reassign owned" refuses to take anything from the superuser that initdb made. What belongs to an extension stays with
// it, and the sequence of a column follows its table.
const handOverSql = `
with own as (
  select 'pg_namespace'::regclass as class, oid, 'schema' as kind, oid::regnamespace::text as name
    from pg_namespace
   where nspowner = current_user::regrole and nspname !~ '^pg_'
  union all
  select 'pg_class'::regclass, oid,
         case relkind when 'S' then 'sequence' when 'v' then 'view' when 'm' then 'materialized view' else 'table' end,
         oid::regclass::text
    from pg_class
   where relowner = current_user::regrole and relkind in ('r', 'p', 'S', 'v', 'm') and relpersistence <> 't'
  union all
  select 'pg_proc'::regclass, oid, 'routine', oid::regprocedure::text
    from pg_proc
   where proowner = current_user::regrole
  union all
  select 'pg_type'::regclass, t.oid, 'type', t.oid::regtype::text
    from pg_type t left join pg_class c on c.oid = t.typrelid
   where t.typowner = current_user::regrole
     and (t.typtype in ('e', 'd', 'r') or c.relkind = 'c')
  union all
  select 'pg_statistic_ext'::regclass, s.oid, 'statistics', format('%I.%I', n.nspname, s.stxname)
    from pg_statistic_ext s join pg_namespace n on n.oid = s.stxnamespace
   where s.stxowner = current_user::regrole
)
select format('alter %s %s owner to %I', kind, name, $1::text) as command
  from own
 where oid >= 16384
   and not exists (select from pg_depend d
                    where d.classid = own.class and d.objid = own.oid
                      and (d.deptype = 'e' or (d.deptype in ('a', 'i') and own.kind = 'sequence' and d.refobjsubid > 0)))
`;
