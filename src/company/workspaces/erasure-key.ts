import { randomBytes } from 'node:crypto';
import type { Queryable } from '../../ground/database/database.ts';

/** Makes the key with which the addresses of erased people are hashed, unless the workspace has one. */
export async function makeErasureKey(tx: Queryable, workspaceId: number): Promise<void> {
  await tx.query('update workspaces set erasure_key = $2 where id = $1 and erasure_key is null', [
    workspaceId,
    randomBytes(32),
  ]);
}
