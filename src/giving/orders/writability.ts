import { randomBytes } from 'node:crypto';
import type { Database } from '../../ground/database/database.ts';
import { makeRequestId } from './request-id.ts';
import { removeRow, storeRow } from './store.ts';

const tryEveryMs = 2_000;
/** More than a page of the table has left, so that PostgreSQL has to find room on its disk. */
const fillerBytes = 48 * 1024;
/** Workspaces are numbered from 1. */
const noWorkspace = 0;

/** Knows whether orders can be stored. */
export interface Writability {
  /** An order could not be stored: the next `check` finds out whether any can. */
  doubt(): void;
  /** Writes only after a doubt, or while writes fail, and at most every two seconds: in between it returns what the last write has shown. */
  check(): Promise<boolean>;
}

export function watchWrites(write: () => Promise<void>): Writability {
  let isDoubted = false;
  let isPossible = true;
  let triedAt = Number.NEGATIVE_INFINITY;
  return {
    doubt() {
      isDoubted = true;
    },
    async check() {
      const isDue = performance.now() - triedAt >= tryEveryMs;
      if (!isDue || (isPossible && !isDoubted)) return isPossible;
      triedAt = performance.now();
      isDoubted = false;
      isPossible = await write().then(
        () => true,
        () => false,
      );
      return isPossible;
    },
  };
}

/** Stores an order of no workspace as acceptance does, and removes it again in the same transaction. Fails if that cannot be committed. */
export async function tryToStore(database: Database): Promise<void> {
  const requestId = makeRequestId();
  await database.transaction(async (tx) => {
    await storeRow(tx, noWorkspace, {
      workspace_id: noWorkspace,
      request_id: requestId,
      token_id: 0,
      sender_id: 0,
      sender_name: '',
      currency: '',
      language: '',
      body: { orderItems: [], filler: randomBytes(fillerBytes).toString('base64') },
      may_have_left: true,
    });
    await removeRow(tx, noWorkspace, requestId);
  });
}
