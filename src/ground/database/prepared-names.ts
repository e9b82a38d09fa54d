import { createHash } from 'node:crypto';
import type pg from 'pg';

type Connection = pg.Pool | pg.PoolClient;

/** By statement, and for each pool: each of its connections may have to keep as many statements. */
const namesOf = new WeakMap<Connection, Map<string, string>>();
// Far more than the program has constant statements.
const maxPrepared = 500;

/** Lets the connections of a pool prepare statements under names. */
export function prepareStatements(pool: pg.Pool): void {
  const names = new Map<string, string>();
  namesOf.set(pool, names);
  pool.on('connect', (client) => namesOf.set(client, names));
}

/** The name is a hash of the text: two programs that share a pooler's session never use one name for two statements. */
export function preparedName(on: Connection, sql: string): string | undefined {
  const names = namesOf.get(on) as Map<string, string>;
  const known = names.get(sql);
  if (known !== undefined || names.size >= maxPrepared) return known;
  const name = `gw_${createHash('sha256').update(sql).digest('hex').slice(0, 16)}`;
  names.set(sql, name);
  return name;
}
