import type { Environment } from '../config.ts';
import { Failure } from '../errors.ts';
import type { Queryable } from './database.ts';

/** The first start gives a database to its environment for good: test gifts and real ones never share one. */
export async function claimEnvironment(database: Queryable, environment: Environment): Promise<void> {
  const [row] = await database.query<{ environment: Environment }>(
    `insert into installation (environment)
     values ($1)
     on conflict (singleton) do update set singleton = true
     returning environment`,
    [environment],
  );
  if (row?.environment !== environment)
    throw new Failure(
      'setup',
      `This database belongs to the ${row?.environment} environment: set GIFTWIRE_ENV=${row?.environment}, or use another database for ${environment}.`,
    );
}
