import { checkWorkspace } from '../../company/workspaces/workspaces.ts';
import { type Config, readConfig } from '../../ground/config/config.ts';
import { type Database, openDatabase, type Queryable } from '../../ground/database/database.ts';
import { openEmbeddedServer } from '../../ground/database/embedded/server.ts';
import { checkEnvironment } from '../../ground/database/environment.ts';
import { migrate } from '../../ground/database/migrate.ts';
import { type ConnectionPool, pools } from '../../ground/database/pools.ts';
import { checkRightsToRun } from '../../ground/database/rights.ts';
import { readSchema, refuseForeignSchema } from '../../ground/database/schema.ts';
import { checkServer } from '../../ground/database/server.ts';
import { Failure } from '../../ground/errors.ts';

/**
 * Runs a command on the service's database, whether the service is running or not. A new database gets its schema; one
 * of an older version is left to `serve` and `migrate`, because nodes of that version may be using it.
 */
export async function withDatabase<T>(
  work: (database: Database, config: Config) => Promise<T>,
  connections: ConnectionPool = pools.commands,
): Promise<T> {
  const checked = async (database: Database, config: Config) => {
    const schema = await readSchema(database);
    refuseForeignSchema(schema);
    if (schema.isNew) await migrate(database);
    else if (schema.pending.length > 0)
      throw new Failure('setup', 'The schema is of an older version: run "giftwire migrate", or start the service.');
    await checkEnvironment(database, config.environment);
    return work(database, config);
  };
  return withRawDatabase(readConfig(), checked, connections);
}

/** The same for a command about one workspace, which has to exist. */
export function withDatabaseOf<T>(
  workspaceId: number,
  work: (database: Database, config: Config) => Promise<T>,
): Promise<T> {
  return withDatabase(async (database, config) => {
    await checkWorkspace(database, workspaceId);
    return work(database, config);
  });
}

/** Runs a command that is one transaction. */
export function inTransaction<T>(work: (tx: Queryable) => Promise<T>): Promise<T> {
  return withDatabase((database) => database.transaction(work));
}

/** Like withDatabase, without checking or creating the schema first. `isAlone` rejects an embedded database that the service uses. */
export async function withRawDatabase<T>(
  config: Config,
  work: (database: Database, config: Config) => Promise<T>,
  connections: ConnectionPool = pools.commands,
  { isAlone = false } = {},
): Promise<T> {
  await using opened = new AsyncDisposableStack();
  const url = config.databaseUrl ?? (await joinEmbedded(config, opened, isAlone));
  const database = opened.adopt(openDatabase({ url, ...connections }), (one) => one.close());
  await checkServer(url);
  await checkRightsToRun(database);
  return await work(database, config);
}

async function joinEmbedded({ dataDir }: Config, opened: AsyncDisposableStack, isAlone: boolean): Promise<string> {
  const embedded = await openEmbeddedServer({ dataDir, exclusive: isAlone });
  opened.defer(embedded.stop);
  return embedded.url;
}
