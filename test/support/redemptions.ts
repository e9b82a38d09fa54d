import { inWorkspace } from '../../src/company/workspaces/lock.ts';
import { type Gift, readGiftsById } from '../../src/giving/gifts/gift.ts';
import { moveGifts } from '../../src/giving/gifts/moves.ts';
import type { WaySetting } from '../../src/ground/contract/way.ts';
import type { Database } from '../../src/ground/database/database.ts';
import { redeem, type Spending } from '../../src/spending/redemptions/redeem.ts';
import { readWay, setWay } from '../../src/spending/redemptions/ways.ts';

/** Offers a way to spend. */
export function offerWay(database: Database, workspaceId: number, id: string, setting: Partial<WaySetting> = {}) {
  return database.transaction((tx) => setWay(tx, workspaceId, id, { kind: 'TILL', name: 'Book shop', ...setting }));
}

export async function readGift(database: Database, workspaceId: number, id: number): Promise<Gift> {
  return (await readGiftsById(database, workspaceId, [id]))[0] as Gift;
}

/** Claims a gift as its recipient would on its page. */
export async function claim(database: Database, workspaceId: number, id: number): Promise<void> {
  const gift = await readGift(database, workspaceId, id);
  await inWorkspace(database, workspaceId, (tx) => moveGifts(tx, workspaceId, [{ type: 'CLAIMED', gift }]));
}

/** Spends a gift in the way of this id. */
export function spend(
  database: Database,
  workspaceId: number,
  giftId: number,
  way: string,
  spending: Omit<Partial<Spending>, 'gift' | 'way'> = {},
) {
  return inWorkspace(database, workspaceId, async (tx) => {
    const [gift] = (await readGiftsById(tx, workspaceId, [giftId])) as [Gift];
    return redeem(tx, workspaceId, { gift, way: await readWay(tx, workspaceId, way), ...spending });
  });
}
