import { audit } from '../../company/workspaces/audit.ts';
import type { Actor } from '../../ground/contract/actor.ts';
import type { Redemption } from '../../ground/contract/redemption.ts';
import type { Queryable } from '../../ground/database/database.ts';
import { Failure } from '../../ground/errors.ts';
import type { AuditAction } from '../../ground/values/audit-actions.ts';
import { spendingKinds } from '../../ground/values/spending-kinds.ts';
import { reverse } from './finish.ts';
import { readRedemption, readTogether } from './read.ts';

/** Takes back what was redeemed at a till. Once more changes nothing. The caller holds the workspace's lock. */
export function voidAtTill(tx: Queryable, actor: Actor, workspaceId: number, id: number): Promise<Redemption> {
  return takeBack(tx, actor, workspaceId, id, 'redemption.voided', ({ kind }) =>
    spendingKinds[kind].fulfilledBy === 'till' ? null : `it was not made at a till, but is of the kind ${kind}`,
  );
}

/**
 * Reverses a redemption for the company, and what was spent together with it: the gifts have the amounts back. If payroll has paid them, the next
 * export takes them back. The caller holds the workspace's lock.
 */
export function reverseRedemption(
  tx: Queryable,
  actor: Actor,
  workspaceId: number,
  id: number,
  note?: string,
): Promise<Redemption> {
  const refusal = ({ kind }: Redemption) => spendingKinds[kind].whyKept;
  return takeBack(tx, actor, workspaceId, id, 'redemption.reversed', refusal, note);
}

async function takeBack(
  tx: Queryable,
  actor: Actor,
  workspaceId: number,
  id: number,
  action: AuditAction,
  refusal: (redemption: Redemption) => string | null,
  note?: string,
): Promise<Redemption> {
  const redemption = await readRedemption(tx, workspaceId, id);
  const reason = refusal(redemption);
  if (reason !== null) throw new Failure('conflict', `Redemption ${id} cannot be reversed: ${reason}.`);
  const detail = note === undefined ? {} : { note };
  const changed = await reverse(tx, actor, workspaceId, await readTogether(tx, workspaceId, id), detail);
  const subject = { id, name: redemption.spendingOptionName };
  if (changed.length > 0) await audit(tx, { workspaceId, actor, action, subject, detail });
  return readRedemption(tx, workspaceId, id);
}
