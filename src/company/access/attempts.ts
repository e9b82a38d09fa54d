import { createHash } from 'node:crypto';
import { type Queryable, queryOptional } from '../../ground/database/database.ts';

/** A number of attempts in a number of seconds, counted over all nodes. The name keeps the keys of different limits apart. */
export interface AttemptLimit {
  name: string;
  most: number;
  seconds: number;
}

/** Counts an attempt. Returns null, or how many seconds to wait if there were too many: then it does not count. */
export async function countAttempt(on: Queryable, limit: AttemptLimit, of: string): Promise<number | null> {
  const key = keyOf(limit, of);
  const counted = await on.query(countSql, [key, limit.most, limit.seconds]);
  if (counted.length > 0) return null;
  const wait = await queryOptional<{ seconds: number }>(on, waitSql, [key]);
  return Math.max(1, Math.ceil(wait?.seconds ?? 1));
}

/** Takes an attempt back. */
export async function forgetAttempt(on: Queryable, limit: AttemptLimit, of: string): Promise<void> {
  await on.query('update sign_in_attempts set attempts = greatest(attempts - 1, 0) where key = $1', [keyOf(limit, of)]);
}

export async function forgetAttempts(on: Queryable, limit: AttemptLimit, of: string): Promise<void> {
  await on.query('delete from sign_in_attempts where key = $1', [keyOf(limit, of)]);
}

export async function removeEndedAttempts(on: Queryable): Promise<void> {
  await on.query('delete from sign_in_attempts where ends_at <= now()');
}

function keyOf({ name }: AttemptLimit, of: string): Buffer {
  return createHash('sha256').update(`${name}\0${of}`).digest();
}

// Attempts that come at the same time wait for each other at the row, so none is missed.
const countSql = `
  insert into sign_in_attempts as a (key, attempts, ends_at)
  values ($1, 1, now() + make_interval(secs => $3))
      on conflict (key) do update
     set attempts = case when a.ends_at <= now() then 1 else a.attempts + 1 end,
         ends_at  = case when a.ends_at <= now() then excluded.ends_at else a.ends_at end
   where a.ends_at <= now()
      or a.attempts < $2::int
  returning a.key`;

const waitSql = 'select extract(epoch from ends_at - now())::float8 as seconds from sign_in_attempts where key = $1';
