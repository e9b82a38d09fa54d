import { inWorkspace } from '../../company/workspaces/lock.ts';
import type { Database } from '../../ground/database/database.ts';
import type { Gift } from './gift.ts';
import { moveGifts } from './moves.ts';

/** By gift. Visitors who look at the same time share one note, so that they do not stall the other gifts of the workspace. */
const underWay = new Map<string, Promise<unknown>>();

/**
 * Writes down the first look at a gift. Later looks cost nothing, and neither do looks at a gift that was cancelled. An email
 * scanner may be the one who looks, so no rule depends on this.
 */
export async function noteView(database: Database, gift: Gift): Promise<void> {
  if (gift.viewedAt !== null || gift.state === 'CANCELLED') return;
  const { workspaceId } = gift;
  const key = `${workspaceId} ${gift.id}`;
  const noting =
    underWay.get(key) ??
    inWorkspace(database, workspaceId, (tx) => moveGifts(tx, workspaceId, [{ type: 'VIEWED', gift }])).finally(() =>
      underWay.delete(key),
    );
  underWay.set(key, noting);
  await noting;
}
