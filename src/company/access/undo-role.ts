import type { Actor } from '../../ground/contract/actor.ts';
import { type Queryable, queryOptional } from '../../ground/database/database.ts';
import { Failure } from '../../ground/errors.ts';
import { checkOwnerRemains } from '../directory/owners.ts';
import { recordUndo, type UndoKind } from '../undo/undo.ts';
import { announceGrantChange } from '../workspaces/grant-changes.ts';
import { closeWaysIn, lockAccount } from './account.ts';
import { hasRole, type Role, scopesToGive } from './roles.ts';

/** What a user has in a workspace. */
interface HeldRole {
  role: Role;
  memberId: number;
  givenAt: string;
}

/** The role of a user in a workspace; null without one. */
export function readHeld(tx: Queryable, workspaceId: number, userId: number): Promise<HeldRole | null> {
  return queryOptional<HeldRole>(
    tx,
    `select role, member_id as "memberId", given_at::text as "givenAt" from user_roles where workspace_id = $1 and user_id = $2`,
    [workspaceId, userId],
  );
}

interface RoleDetail {
  before: HeldRole;
  /** Null: it was taken away. */
  after: Omit<HeldRole, 'givenAt'> | null;
}

/** Records that a role can be given back. */
export function recordRoleUndo(
  tx: Queryable,
  actor: Actor,
  workspaceId: number,
  userId: number,
  before: HeldRole,
  after: RoleDetail['after'],
): Promise<string> {
  const detail: RoleDetail = { before, after };
  return recordUndo(tx, actor, workspaceId, { kind: 'USER_ROLE', subjectId: userId, detail });
}

/** Gives a user the role back that they had. A user who had no other role needs a new link, as after every first role. */
export const roleUndo: UndoKind<RoleDetail> = {
  kind: 'USER_ROLE',
  action: 'user.role_undone',
  scopesOf: ({ before, after }) => [
    'users:manage',
    ...scopesToGive(before.role),
    ...(after ? scopesToGive(after.role) : []),
  ],
  readNames: (on, _workspaceId, ids) => on.query('select id, name from users where id = any($1::bigint[])', [ids]),
  async undo(tx, { workspaceId, subjectId, detail: { before, after } }) {
    const userId = subjectId as number;
    await lockAccount(tx, userId);
    const held = await readHeld(tx, workspaceId, userId);
    if (held?.role !== after?.role || held?.memberId !== after?.memberId)
      throw new Failure('conflict', 'This cannot be undone: the role of this user was changed since.');
    if (!(await hasRole(tx, userId))) await closeWaysIn(tx, userId);
    await tx.query(
      `insert into user_roles (workspace_id, user_id, role, member_id, given_at)
       values ($1, $2, $3, $4, $5)
       on conflict (workspace_id, user_id) do update set role = excluded.role, member_id = excluded.member_id`,
      [workspaceId, userId, before.role, before.memberId, before.givenAt],
    );
    if (after?.role === 'OWNER') await checkOwnerRemains(tx, workspaceId);
    await announceGrantChange(tx);
  },
};
