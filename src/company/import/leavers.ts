import { type Queryable, queryOne } from '../../ground/database/database.ts';
import { findLeavingOwners } from '../directory/owners.ts';
import { updateMembers } from '../directory/save.ts';
import { isHere, isPerson } from '../directory/who.ts';
import type { RowClaims } from './claims.ts';
import { followMerges, isOverruled } from './merges.ts';
import type { Leaver } from './open-rows.ts';

/** The number of people who have not left. */
export async function countHere(on: Queryable, workspaceId: number): Promise<number> {
  const { here } = await queryOne<{ here: number }>(
    on,
    `select count(*) as here from members m where m.workspace_id = $1 and ${isHere('m')} and ${isPerson('m')}`,
    [workspaceId],
  );
  return here;
}

/**
 * How many may leave without --allow-leavers: a tenth. In a small company up to five may leave, but at most half of the people:
 * more look like a mistake in the file.
 */
export function leaversWithoutAsking(here: number): number {
  return Math.max(Math.floor(here / 10), Math.min(5, Math.ceil(here / 2)));
}

interface Leaving {
  leaving: Leaver[];
  /** The last owner of the workspace, who cannot leave. */
  staying: Leaver[];
  /** The ids of the owners who leave. */
  owners: number[];
}

/**
 * Those who leave, without rows that a merge has overruled. `before` has the owners who left before, or would have in a dry run. The
 * caller holds the workspace's lock, or only reads.
 */
export async function findLeavers(
  tx: Queryable,
  claims: RowClaims,
  leavers: readonly Leaver[],
  before: readonly number[],
): Promise<Leaving> {
  await followMerges(
    tx,
    claims,
    leavers.map(({ person }) => person),
  );
  const found = leavers.filter(({ person }) => !isOverruled(claims, person));
  const ids = found.map(({ person }) => person.id);
  const { owners, staying } = await findLeavingOwners(tx, claims.workspaceId, ids, before);
  return {
    leaving: found.filter(({ person }) => person.id !== staying),
    staying: found.filter(({ person }) => person.id === staying),
    owners: owners.filter((id) => id !== staying),
  };
}

export async function saveLeavers(tx: Queryable, workspaceId: number, leavers: readonly Leaver[]): Promise<void> {
  const changes = leavers.map(({ person, leftOn }) => ({
    id: person.id,
    active: false,
    ...(leftOn !== undefined && { leftOn }),
  }));
  if (changes.length > 0) await updateMembers(tx, workspaceId, changes);
}
