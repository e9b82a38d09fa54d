import pg from 'pg';
import { openDatabase } from '../../src/ground/database/database.ts';
import { migrate } from '../../src/ground/database/migrate.ts';
import { spreadDatabase } from '../../src/ground/database/spread.ts';

/** A URL of a Citus cluster: a database of its coordinator that knows the workers. `npm run test:spread` sets it. */
export const clusterVariable = 'GIFTWIRE_TEST_CLUSTER';
export const clusterUrl = process.env[clusterVariable] ?? null;

const template = 'giftwire_test_template';

/** The URL of another database of the same server. */
export function onCluster(database: string, node: { host: string; port: number } | null = null): string {
  const url = new URL(clusterUrl as string);
  url.pathname = `/${database}`;
  if (node) {
    url.hostname = node.host;
    url.port = String(node.port);
  }
  return url.href;
}

interface Node {
  host: string;
  port: number;
}

let nodes: Promise<Node[]> | undefined;

/** The coordinator first. */
async function readNodes(): Promise<Node[]> {
  const rows = await onServer(clusterUrl as string, (client) =>
    client.query(
      `select nodename as host, nodeport as port from pg_dist_node where isactive and noderole = 'primary' order by groupid`,
    ),
  );
  return rows.rows as Node[];
}

async function onServer<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Runs statements on each server, in its database `postgres`. */
async function onEachServer(...statements: string[]): Promise<void> {
  nodes ??= readNodes();
  for (const node of await nodes)
    await onServer(onCluster('postgres', node), async (client) => {
      await client.query('set citus.enable_create_database_propagation = off');
      for (const statement of statements) await client.query(statement);
    });
}

const closeTemplate = [
  `alter database ${template} with allow_connections false`,
  `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${template}'`,
];

/** A database on every server with the schema, spread. Each test file gets a copy of it: the copies know the same servers. */
export async function prepareCluster(): Promise<void> {
  await onEachServer(`drop database if exists ${template} with (force)`, `create database ${template}`);
  nodes ??= readNodes();
  const [coordinator, ...workers] = await nodes;
  if (!coordinator || workers.length === 0) throw new Error('the cluster has no workers');
  for (const node of [coordinator, ...workers])
    await onServer(onCluster(template, node), (client) =>
      client.query('create extension citus; create extension pg_trgm'),
    );
  await onServer(onCluster(template, coordinator), async (client) => {
    await client.query('select citus_set_coordinator_host($1, $2)', [coordinator.host, coordinator.port]);
    for (const { host, port } of workers) await client.query('select citus_add_node($1, $2)', [host, port]);
  });
  const database = openDatabase({
    url: onCluster(template),
    maxConnections: 3,
    statementTimeoutMs: null,
    name: 'cli test',
  });
  await migrate(database);
  await spreadDatabase(database);
  await database.close();
  await onEachServer(...closeTemplate);
}

export function createOnCluster(name: string): Promise<void> {
  return onEachServer(`create database ${name} template ${template} strategy file_copy`);
}

export function dropOnCluster(name: string): Promise<void> {
  return onEachServer(`drop database if exists ${name} with (force)`);
}

export async function removeFromCluster(): Promise<void> {
  await dropOnCluster(template);
}
