import type { Queryable } from '../../ground/database/database.ts';

const moments = new WeakMap<Queryable, string>();

/** Moves what the transaction records from now on to another moment: a history is replayed, and each entry has its own. */
export function recordAt(tx: Queryable, moment: Date): void {
  moments.set(tx, moment.toISOString());
}

/** The moment of the history that the transaction replays. */
export function replayedMoment(tx: Queryable): string | undefined {
  return moments.get(tx);
}
