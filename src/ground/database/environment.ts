import type { Environment } from '../config/config.ts';
import { Failure } from '../errors.ts';
import { type Queryable, queryOptional } from './database.ts';

/** Refuses a database that belongs to the other environment. */
export async function checkEnvironment(database: Queryable, environment: Environment): Promise<void> {
  const owner = await readOwner(database);
  if (owner !== null && owner !== environment) throw foreign(owner, environment);
}

/** The first start ties a database to its environment permanently: test gifts and real gifts never share one. */
export async function claimEnvironment(database: Queryable, environment: Environment): Promise<void> {
  await database.query('insert into installation (environment) values ($1) on conflict do nothing', [environment]);
  await checkEnvironment(database, environment);
}

/** The environment that a database belongs to; null before the first start. */
export async function readOwner(database: Queryable): Promise<Environment | null> {
  const owner = await queryOptional<{ environment: Environment }>(database, 'select environment from installation');
  return owner?.environment ?? null;
}

function foreign(owner: Environment, environment: Environment): Failure {
  return new Failure(
    'setup',
    `This database belongs to the ${owner} environment: set GIFTWIRE_ENV=${owner}, or use another database for ${environment}.`,
  );
}
