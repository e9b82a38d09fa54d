import type { Database } from '../database/database.ts';
import { inWorkspace } from '../workspaces/lock.ts';
import type { Gift } from './gift.ts';
import { moveGifts } from './moves.ts';

/**
 * Writes down the first look at a gift. Later looks cost nothing, and neither do looks at a gift that was cancelled. A mail
 * scanner may be the one who looks, so no rule depends on this.
 */
export async function noteView(database: Database, gift: Gift): Promise<void> {
  if (gift.viewedAt !== null || gift.state === 'CANCELLED') return;
  const { workspaceId } = gift;
  await inWorkspace(database, workspaceId, (tx) => moveGifts(tx, workspaceId, [{ type: 'VIEWED', gift }]));
}
