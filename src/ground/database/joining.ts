import { AsyncLocalStorage } from 'node:async_hooks';
import type { Queryable } from './queryable.ts';

/** Runs last in a transaction, and is committed with it. */
export type Join = (tx: Queryable) => Promise<void>;

const joins = new AsyncLocalStorage<Join | null>();

/**
 * Lets `join` take part in every transaction that `work` begins. The functions that change something begin their transactions
 * themselves, and what joins them concerns none of them, so it is no argument.
 */
export function joiningTransactions<T>(join: Join, work: () => T): T {
  return joins.run(join, work);
}

/** What joins the transactions that are begun here; null: nothing. */
export function currentJoin(): Join | null {
  return joins.getStore() ?? null;
}

/** For work that lets a join take part where it is due: nothing joins the transactions that it begins. */
export function withoutJoin<T>(work: () => T): T {
  return joins.getStore() ? joins.run(null, work) : work();
}
