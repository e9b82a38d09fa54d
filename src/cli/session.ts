import { type Config, readConfig } from '../config.ts';
import { type Database, openDatabase } from '../database/database.ts';
import { openEmbeddedServer } from '../database/embedded/server.ts';
import { claimEnvironment } from '../database/environment.ts';
import { migrate } from '../database/migrate.ts';

/** Runs a command on the service's database, whether the service is running or not. */
export async function withDatabase<T>(work: (database: Database, config: Config) => Promise<T>): Promise<T> {
  return withRawDatabase(readConfig(), async (database, config) => {
    await migrate(database);
    await claimEnvironment(database, config.environment);
    return work(database, config);
  });
}

/** The same without bringing the schema up to date first. */
export async function withRawDatabase<T>(
  config: Config,
  work: (database: Database, config: Config) => Promise<T>,
): Promise<T> {
  const embedded =
    config.databaseUrl === null ? await openEmbeddedServer({ dataDir: config.dataDir, exclusive: false }) : null;
  const connection = embedded?.connection ?? { connectionString: config.databaseUrl as string };
  const database = openDatabase({ connection, maxConnections: 3, statementTimeoutMs: 60_000, name: 'cli' });
  try {
    return await work(database, config);
  } finally {
    await database.close();
    await embedded?.stop();
  }
}
