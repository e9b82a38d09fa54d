import type pg from 'pg';
import { Failure } from '../errors.ts';
import { pools } from './pools.ts';

/** The names under which the connections of a node appear. */
const nodes = [
  'giftwire listener',
  ...Object.values(pools)
    .filter(({ openedBy }) => openedBy !== 'command')
    .map(({ name }) => `giftwire ${name}`),
];

export async function refuseNodes(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query(
    `select count(*)::int as count from pg_stat_activity where datname = current_database() and application_name = any ($1)`,
    [nodes],
  );
  if (rows[0].count > 0) throw inUse();
}

export function inUse(): Failure {
  return new Failure('setup', 'Nodes use the database: stop every node of Giftwire first, then run this again.');
}
