import { type Actor, audit } from '../access/audit.ts';
import type { Wish } from '../contract/wish.ts';
import type { Queryable } from '../database/database.ts';
import { Failure } from '../errors.ts';
import { lockWorkspace } from '../workspaces/lock.ts';
import { decline, fulfil } from './finish.ts';
import { readRedemption } from './read.ts';

const decisions = {
  fulfil: { finish: fulfil, action: 'redemption.fulfilled' },
  decline: { finish: decline, action: 'redemption.declined' },
} as const;

/**
 * Fulfils or declines what a recipient asked for. Declined, the gift has its balance back. The recipient reads the note on the page of
 * the gift. The same decision again changes nothing.
 */
export async function decideWish(
  tx: Queryable,
  actor: Actor,
  workspaceId: number,
  id: number,
  decision: keyof typeof decisions,
  note?: string,
): Promise<Wish> {
  await lockWorkspace(tx, workspaceId);
  const { kind, wayName } = await readRedemption(tx, workspaceId, id);
  if (kind !== 'HAND')
    throw new Failure('conflict', `Redemption ${id} is of the kind ${kind}: only what is of the kind HAND is decided.`);
  const { finish, action } = decisions[decision];
  const changed = await finish(tx, workspaceId, [id], note === undefined ? {} : { note });
  if (changed.length > 0) await audit(tx, { workspaceId, actor, action, subject: { id, name: wayName } });
  return readWish(tx, workspaceId, id);
}

async function readWish(tx: Queryable, workspaceId: number, id: number): Promise<Wish> {
  const { giftId, state, way, amount, currency, left, wish, note, finishedAt } = await readRedemption(
    tx,
    workspaceId,
    id,
  );
  return { id, giftId, state, way, amount, currency, left, wish, note, finishedAt };
}
