import { type Queryable, queryOne } from './database.ts';

/** The time by the database's clock, which decides what has expired: the clocks of nodes may be wrong. */
export async function readNow(on: Queryable): Promise<Date> {
  const { now } = await queryOne<{ now: Date }>(on, 'select now() as now');
  return now;
}

/** A clock that continues from a time that the database has returned just now. A change of this machine's clock does not move it. */
export function clockFrom(now: Date): () => Date {
  const began = performance.now();
  return () => new Date(now.getTime() + (performance.now() - began));
}
