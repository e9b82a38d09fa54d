import { audit } from '../../../company/workspaces/audit.ts';
import type { Claimant } from '../../../giving/gifts/own/standing.ts';
import type { Actor } from '../../../ground/contract/actor.ts';
import type { Queryable } from '../../../ground/database/database.ts';
import { Failure } from '../../../ground/errors.ts';
import { reverse } from '../finish.ts';
import { readTogether } from '../read.ts';
import { readOwnSpending } from './read.ts';

/** Reverses what a person has spent, for themselves: all of it. Once more changes nothing. The caller holds the workspace's lock. */
export async function reverseOwnSpending(tx: Queryable, actor: Actor, recipient: Claimant, id: number): Promise<void> {
  const { state, isReversible, spendingOptionName, ...spending } = await readOwnSpending(tx, recipient, id);
  if (state === 'REVERSED') return;
  if (!isReversible)
    throw new Failure(
      'conflict',
      'This can no longer be reversed: only what goes to your salary can be, until the company has closed the payroll.',
    );
  const { workspaceId } = recipient;
  const ids = await readTogether(tx, workspaceId, spending.id);
  await reverse(tx, actor, workspaceId, ids);
  const subject = { id: spending.id, name: spendingOptionName };
  await audit(tx, { workspaceId, actor, action: 'redemption.reversed', subject });
}
