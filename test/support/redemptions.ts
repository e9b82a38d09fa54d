import { inWorkspace } from '../../src/company/workspaces/lock.ts';
import { type Gift, readGiftsById } from '../../src/giving/gifts/gift.ts';
import { moveGifts } from '../../src/giving/gifts/moves.ts';
import type { SpendingOptionSetting } from '../../src/ground/contract/spending-option.ts';
import type { Database } from '../../src/ground/database/database.ts';
import { redeem } from '../../src/spending/redemptions/redeem.ts';
import { readSpendingOption, setSpendingOption } from '../../src/spending/redemptions/spending-options.ts';
import type { NewRedemption } from '../../src/spending/redemptions/write.ts';

/** Offers a spending option. */
export function offerSpendingOption(
  database: Database,
  workspaceId: number,
  id: string,
  setting: Partial<SpendingOptionSetting> = {},
) {
  return database.transaction((tx) =>
    setSpendingOption(tx, workspaceId, id, { kind: 'TILL', name: 'Book shop', ...setting }),
  );
}

export async function readGift(database: Database, workspaceId: number, id: number): Promise<Gift> {
  return (await readGiftsById(database, workspaceId, [id]))[0] as Gift;
}

/** Claims a gift as its recipient would on its page. */
export async function claim(database: Database, workspaceId: number, id: number): Promise<void> {
  const gift = await readGift(database, workspaceId, id);
  await inWorkspace(database, workspaceId, (tx) => moveGifts(tx, workspaceId, [{ type: 'CLAIMED', gift }]));
}

/** Spends a gift with the spending option of this id. */
export function spend(
  database: Database,
  workspaceId: number,
  giftId: number,
  option: string,
  spending: Omit<Partial<NewRedemption>, 'gift' | 'option'> = {},
) {
  return inWorkspace(database, workspaceId, async (tx) => {
    const [gift] = (await readGiftsById(tx, workspaceId, [giftId])) as [Gift];
    return redeem(tx, workspaceId, { gift, option: await readSpendingOption(tx, workspaceId, option), ...spending });
  });
}
