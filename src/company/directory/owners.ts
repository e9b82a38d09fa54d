import { type Queryable, queryOne } from '../../ground/database/database.ts';
import { Failure } from '../../ground/errors.ts';
import { announceGrantChange } from '../workspaces/grant-changes.ts';
import { isHere } from './who.ts';

/*
 * A workspace that has owners keeps one who has not left: without one, no user of the workspace could add users or change roles.
 * This file is the one home of that rule. Callers hold the workspace's lock, so two owners cannot leave at the same time.
 */

/** Throws if the workspace would have no owner after these people have left. */
export async function checkLeaving(tx: Queryable, workspaceId: number, leaving: readonly number[]): Promise<void> {
  if ((await findLeavingOwners(tx, workspaceId, leaving)).staying !== null) throw lastOwner();
}

interface LeavingOwners {
  /** The owners among those who are to leave. */
  owners: number[];
  /** The one of them who has to stay, because the workspace has no other owner; null if all can leave. */
  staying: number | null;
}

/** The owners among people who are to leave, in the order of leaving. `before` has owners who would have left already, in a dry run. */
export async function findLeavingOwners(
  tx: Queryable,
  workspaceId: number,
  leaving: readonly number[],
  before: readonly number[] = [],
): Promise<LeavingOwners> {
  if (leaving.length === 0) return { owners: [], staying: null };
  const all = new Set(await readOwners(tx, workspaceId));
  const owners = leaving.filter((id) => all.has(id));
  const isLast = all.isSubsetOf(new Set([...before, ...owners]));
  return { owners, staying: isLast ? (owners.at(-1) ?? null) : null };
}

/** Throws if the workspace has no owner who has not left. For changes of roles, after the change. */
export async function checkOwnerRemains(tx: Queryable, workspaceId: number): Promise<void> {
  if ((await readOwners(tx, workspaceId)).length === 0) throw lastOwner();
}

export const lastOwnerText = 'the last owner of the workspace who has not left: make another user an owner first';

function lastOwner(): Failure {
  return new Failure('conflict', `This is ${lastOwnerText}.`);
}

/** The members that owners act as, without those who have left. An owner who is not linked to a person has not left. */
async function readOwners(tx: Queryable, workspaceId: number): Promise<number[]> {
  const owners = await tx.query<{ id: number }>(`select m.id ${ownersSql}`, [workspaceId]);
  return owners.map(({ id }) => id);
}

/** The latest last day of the owners, if each of them has one: no owner stays after it. Null if one stays. */
export async function readLastDayOfOwners(on: Queryable, workspaceId: number): Promise<string | null> {
  const { day } = await queryOne<{ day: string | null }>(
    on,
    `select case when bool_and(m.leaves_on is not null) then max(m.leaves_on)::text end as day
       ${ownersSql}`,
    [workspaceId],
  );
  return day;
}

const ownersSql = `
       from user_roles r
       join members m on m.workspace_id = r.workspace_id and m.id = r.member_id
      where r.workspace_id = $1
        and r.role = 'OWNER'
        and ${isHere('m')}`;

/** A role ends when its person leaves the company, and begins again when they return: every node is told. */
export async function announceRolesOf(
  tx: Queryable,
  workspaceId: number,
  people: readonly { id: number }[],
): Promise<void> {
  const roles = await tx.query(
    'select from user_roles where workspace_id = $1 and member_id = any($2::bigint[]) limit 1',
    [workspaceId, people.map(({ id }) => id)],
  );
  if (roles.length > 0) await announceGrantChange(tx);
}
