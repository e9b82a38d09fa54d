import type { Environment } from '../config.ts';
import { Failure } from '../errors.ts';
import type { Queryable } from './database.ts';

/** Refuses a database that belongs to the other environment. */
export async function checkEnvironment(database: Queryable, environment: Environment): Promise<void> {
  const [owner] = await database.query<{ environment: Environment }>('select environment from installation');
  if (owner && owner.environment !== environment) throw foreign(owner.environment, environment);
}

/** The first start gives a database to its environment for good: test gifts and real ones never share one. */
export async function claimEnvironment(database: Queryable, environment: Environment): Promise<void> {
  await database.query('insert into installation (environment) values ($1) on conflict do nothing', [environment]);
  await checkEnvironment(database, environment);
}

function foreign(owner: Environment, environment: Environment): Failure {
  return new Failure(
    'setup',
    `This database belongs to the ${owner} environment: set GIFTWIRE_ENV=${owner}, or use another database for ${environment}.`,
  );
}
