import { type Actor, audit } from '../../company/access/audit.ts';
import type { SpendingOption, SpendingOptionSetting } from '../../ground/contract/spending-option.ts';
import type { Queryable } from '../../ground/database/database.ts';
import { setSpendingOption } from './spending-options.ts';

/** Offers a spending option or changes it, and notes who did. */
export async function offerSpendingOption(
  tx: Queryable,
  actor: Actor,
  workspaceId: number,
  id: string,
  setting: SpendingOptionSetting,
): Promise<SpendingOption> {
  const option = await setSpendingOption(tx, workspaceId, id, setting);
  await audit(tx, {
    workspaceId,
    actor,
    action: 'spending_option.set',
    subject: { id, name: option.name },
    detail: setting,
  });
  return option;
}
