import { type Actor, withoutName } from '../../ground/contract/actor.ts';
import type { Queryable } from '../../ground/database/database.ts';
import { Failure } from '../../ground/errors.ts';
import { lockWorkspace } from '../workspaces/lock.ts';
import { auditMember } from './audit.ts';
import { checkChangeable, checkPerson } from './change.ts';
import { recordsOf, survivorOf } from './who.ts';

/**
 * Holds if a legal hold is on the person of this record, in the workspace of rows `t`. Merged records are one person. There are few holds, so
 * usually the search ends at once.
 */
export function isHeld(member: string): string {
  return `
    exists (select
              from legal_holds h
              join members held  on held.workspace_id = $1 and held.id = h.member_id
              join members asked on asked.workspace_id = $1 and asked.id = ${member}
             where h.workspace_id = $1
               and ${survivorOf('held')} = ${survivorOf('asked')})`;
}

/** Keeps a person from being erased or anonymized, and their texts from being removed by age, until it is released. */
export async function placeHold(
  tx: Queryable,
  actor: Actor,
  workspaceId: number,
  id: number,
  reason: string,
): Promise<void> {
  await lockWorkspace(tx, workspaceId);
  await checkChangeable(tx, workspaceId, id);
  const changed = await tx.query(
    `insert into legal_holds as h (workspace_id, member_id, reason, placed_by, placed_at)
     values ($1, $2, $3, $4, now())
         on conflict (workspace_id, member_id) do update set reason = excluded.reason
      where h.reason <> excluded.reason
     returning h.member_id`,
    [workspaceId, id, reason, withoutName(actor)],
  );
  if (changed.length > 0) await auditMember(tx, actor, workspaceId, 'member.hold_placed', id, { reason });
}

export async function releaseHold(tx: Queryable, actor: Actor, workspaceId: number, id: number): Promise<void> {
  await lockWorkspace(tx, workspaceId);
  await checkPerson(tx, workspaceId, id);
  const released = await tx.query(
    `delete from legal_holds where workspace_id = $1 and member_id in (${recordsOf('$1', '$2')}) returning member_id`,
    [workspaceId, id],
  );
  if (released.length === 0) throw new Failure('conflict', 'There is no legal hold on this person.');
  await auditMember(tx, actor, workspaceId, 'member.hold_released', id);
}
