import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { tooMuchAhead } from '../../src/giving/orders/recipient-year.ts';
import { type Entry, storeOrders } from '../../src/giving/orders/store.ts';
import type { Database } from '../../src/ground/database/database.ts';
import { unavailable } from '../../src/ground/errors.ts';

const entryOf = (workspaceId: number, requestId: string) =>
  ({
    workspaceId,
    requestId,
    row: JSON.stringify(requestId),
    workspace: { workspaceId },
    order: { orderItems: [] },
  }) as unknown as Entry;

const locked = Object.assign(new pg.DatabaseError('could not obtain a lock', 0, 'error'), { code: '55P03' });

/** A database in which a batch of several workspaces meets a lock, and each order that `fails` names has an error of its own. */
function lockedDatabase(fails: Record<string, unknown>): Database {
  return {
    async query(_sql: string, [rows]: [string]) {
      const ids: string[] = JSON.parse(rows);
      if (new Set(ids.map(([workspace]) => workspace)).size > 1) throw unavailable(locked);
      for (const id of ids) if (id in fails) throw fails[id];
      return ids.map((requestId) => ({ requestId, leavers: null }));
    },
  } as unknown as Database;
}

test('after a lock, orders that are stored are never answered with the error of another workspace', async () => {
  const entries = ['a1', 'b1', 'c1', 'c2', 'd1'].map((id) => entryOf(id.charCodeAt(0), id));
  const stored = await storeOrders(
    lockedDatabase({ b1: unavailable(new Error('the connection is lost')), c1: new Error('odd') }),
    [],
    entries,
    'free',
  );
  const kinds = entries.map(({ requestId }) => [requestId, stored.get(requestId)?.kind ?? null]);
  assert.deepEqual(Object.fromEntries(kinds), { a1: null, b1: 'unavailable', c1: 'unavailable', c2: null, d1: null });
});

test('a workspace with too many waiting gifts to compare its yearly limit keeps no other from being stored', async () => {
  const database = {
    async query(_sql: string, [rows]: [string]) {
      const ids: string[] = JSON.parse(rows);
      if (ids.some((id) => id.startsWith('a'))) throw tooMuchAhead();
      return ids.map((requestId) => ({ requestId, leavers: null }));
    },
  } as unknown as Database;
  const entries = ['a1', 'a2', 'b1'].map((id) => entryOf(id.charCodeAt(0), id));
  const stored = await storeOrders(database, [], entries, 'free');
  const kinds = entries.map(({ requestId }) => [requestId, stored.get(requestId)?.kind ?? null]);
  assert.deepEqual(Object.fromEntries(kinds), { a1: 'unavailable', a2: 'unavailable', b1: null });
});
