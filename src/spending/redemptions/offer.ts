import { type Actor, audit } from '../../company/access/audit.ts';
import type { Way, WaySetting } from '../../ground/contract/way.ts';
import type { Queryable } from '../../ground/database/database.ts';
import { setWay } from './ways.ts';

/** Offers a way to spend or changes it, and notes who did. */
export async function offerWay(
  tx: Queryable,
  actor: Actor,
  workspaceId: number,
  id: string,
  setting: WaySetting,
): Promise<Way> {
  const way = await setWay(tx, workspaceId, id, setting);
  await audit(tx, { workspaceId, actor, action: 'way.set', subject: { id, name: way.name }, detail: setting });
  return way;
}
