import type pg from 'pg';
import { Failure } from '../errors.ts';
import { addForeignKeys, dropForeignKeys } from './all-tables.ts';
import { isClusterSql } from './cluster.ts';
import { type Database, type Queryable, queryOne } from './database.ts';
import { takeMigrationTurn } from './migrate-turn.ts';
import { refuseNodes } from './nodes.ts';

/** Where the rows of a table are: with their workspace, on every server, or on the coordinator alone. */
export type Place = 'workspace' | 'everywhere' | 'coordinator';

export interface SpreadTable {
  table: string;
  place: Place;
  /** Whether it was there before. */
  wasThere: boolean;
}

/** The table of workspaces, whose place the others follow. */
const root = 'workspaces';

/** Read together with rows of workspaces, and referred to by none. */
const readEverywhere = ['histories'];

/** The oldest version of Citus that Giftwire is tested on. */
const oldestCitus = 13;

/** What a cluster says of itself; null for a PostgreSQL without Citus. */
export interface Cluster {
  version: string;
  /** How many servers have rows of workspaces. */
  workers: number;
  isCoordinator: boolean;
  /** Whether the coordinator is in the list of servers, so that it has copies of tables too. */
  knowsCoordinator: boolean;
  /** How many tables are distributed, or copied to every server. */
  distributed: number;
  copied: number;
}

export async function readCluster(on: Queryable): Promise<Cluster | null> {
  const { isCluster } = await queryOne<{ isCluster: boolean }>(on, `select ${isClusterSql} as "isCluster"`);
  return isCluster ? queryOne<Cluster>(on, clusterSql) : null;
}

const clusterSql = `
  select (select extversion from pg_extension where extname = 'citus') as version,
         (select count(*)::int from pg_dist_node where isactive and noderole = 'primary' and shouldhaveshards) as workers,
         (select groupid = 0 from pg_dist_local_group) as "isCoordinator",
         exists (select from pg_dist_node where groupid = 0) as "knowsCoordinator",
         (select count(*)::int from pg_dist_partition where partmethod = 'h') as distributed,
         (select count(*)::int from pg_dist_partition where partmethod = 'n' and repmodel = 't') as copied`;

/** Distributes an installation that no node serves. Throws where it cannot be done, with what to do. */
export async function spreadDatabase(
  database: Database,
  onSpread?: (table: SpreadTable) => void,
): Promise<SpreadTable[]> {
  checkCluster(await readCluster(database));
  const client = await database.pool.connect();
  try {
    await takeMigrationTurn(client);
    await refuseNodes(client);
    await client.query('begin');
    const tables = await spreadTables(client, onSpread);
    await client.query('commit');
    return tables;
  } finally {
    // Destroying the session also drops its lock, and what it has not committed.
    client.release(true);
  }
}

function checkCluster(cluster: Cluster | null): void {
  if (cluster === null)
    throw new Failure(
      'setup',
      'This PostgreSQL has no Citus: install it on all servers and run "create extension citus" in this database on each of them (docs/operate.md, Several servers).',
    );
  if (Number.parseInt(cluster.version, 10) < oldestCitus)
    throw new Failure('setup', `Citus ${cluster.version} is too old: install ${oldestCitus} or later.`);
  if (!cluster.isCoordinator)
    throw new Failure('setup', 'DATABASE_URL names a worker of the cluster: set it to the coordinator.');
  if (!cluster.knowsCoordinator)
    throw new Failure(
      'setup',
      'The coordinator does not know its own address: run "select citus_set_coordinator_host(\'<its address>\')" there.',
    );
  if (cluster.workers === 0)
    throw new Failure(
      'setup',
      'The cluster has no worker: add one with "select citus_add_node(\'<its address>\', 5432)".',
    );
}

/** After a migration: tables that it has added are placed as the others are. */
export async function spreadNewTables(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query(
    `select ${isClusterSql} and exists (select from pg_class c where c.oid = to_regclass('${root}')) as "mayBeSpread"`,
  );
  if (!rows[0].mayBeSpread) return;
  const { rows: found } = await client.query('select from pg_dist_partition where logicalrelid = $1::regclass', [root]);
  if (found.length > 0) await spreadTables(client);
}

/**
 * Distributes the tables of an installation over the servers of a cluster: those of workspaces by `workspace_id`, together, those that they refer to as a
 * copy on each server. One transaction. Tables that are distributed already stay as they are.
 */
async function spreadTables(
  client: pg.ClientBase,
  onSpread: (table: SpreadTable) => void = () => {},
): Promise<SpreadTable[]> {
  const tables = await readPlaces(client);
  const missing = tables.filter(({ place, wasThere }) => place !== 'coordinator' && !wasThere);
  if (missing.length > 0) {
    // Tables that refer to each other are changed one after another.
    await client.query(`set local citus.multi_shard_modify_mode = 'sequential'`);
    const keys = await dropForeignKeys(
      client,
      missing.map(({ table }) => table),
    );
    // The first one decides on which server a workspace is.
    const inTurn = missing.sort((a, b) => Number(b.table === root) - Number(a.table === root));
    for (const one of inTurn) {
      await moveTable(client, one);
      onSpread(one);
    }
    await addForeignKeys(client, keys);
  }
  return tables;
}

async function moveTable(client: pg.ClientBase, { table, place }: SpreadTable): Promise<void> {
  if (place === 'everywhere') await client.query('select create_reference_table($1::regclass)', [table]);
  else if (table === root)
    await client.query(`select create_distributed_table($1::regclass, 'id', colocate_with => 'none')`, [table]);
  else
    await client.query(`select create_distributed_table($1::regclass, 'workspace_id', colocate_with => $2)`, [
      table,
      root,
    ]);
}

/** Every table of the installation with its place, by its primary key and by what refers to it. */
async function readPlaces(client: pg.ClientBase): Promise<SpreadTable[]> {
  const { rows } = await client.query<{
    table: string;
    isOfWorkspace: boolean;
    isReferred: boolean;
    wasThere: boolean;
  }>(
    `with tables as (
       select c.oid, c.relname as name,
              c.relname = $1 or exists (
                select from pg_index i
                  join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
                 where i.indrelid = c.oid and i.indisprimary and a.attname = 'workspace_id') as is_of_workspace
         from pg_class c
        where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
          and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
     )
     select t.name as "table", t.is_of_workspace as "isOfWorkspace",
            t.name = any($2) or exists (
              select from pg_constraint k
                join tables other on other.oid = k.conrelid
               where k.contype = 'f' and k.confrelid = t.oid and other.is_of_workspace) as "isReferred",
            exists (select from pg_dist_partition p where p.logicalrelid = t.oid) as "wasThere"
       from tables t
      order by t.name`,
    [root, readEverywhere],
  );
  return rows.map(({ table, isOfWorkspace, isReferred, wasThere }) => ({
    table,
    place: isOfWorkspace ? 'workspace' : isReferred ? 'everywhere' : 'coordinator',
    wasThere,
  }));
}
