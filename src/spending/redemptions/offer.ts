import { audit } from '../../company/workspaces/audit.ts';
import { lockWorkspace } from '../../company/workspaces/lock.ts';
import type { Actor } from '../../ground/contract/actor.ts';
import type { SpendingOption, SpendingOptionSetting } from '../../ground/contract/spending-option.ts';
import type { Queryable } from '../../ground/database/database.ts';
import { changesAnything } from '../../ground/values/differences.ts';
import { readSpendingOptions, setSpendingOption } from './spending-options.ts';

/** Offers a spending option or changes it, and notes who did. */
export async function offerSpendingOption(
  tx: Queryable,
  actor: Actor,
  workspaceId: number,
  id: string,
  setting: SpendingOptionSetting,
): Promise<SpendingOption> {
  await lockWorkspace(tx, workspaceId);
  const before = (await readSpendingOptions(tx, workspaceId)).find((one) => one.id === id);
  const option = await setSpendingOption(tx, workspaceId, id, setting);
  if (before && !changesAnything(before, option)) return option;
  await audit(tx, {
    workspaceId,
    actor,
    action: 'spending_option.set',
    subject: { id, name: option.name },
    detail: setting,
  });
  return option;
}
