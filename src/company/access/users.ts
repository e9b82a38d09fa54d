import type { Actor } from '../../ground/contract/actor.ts';
import { type Queryable, queryOne, queryOptional } from '../../ground/database/database.ts';
import { takeIds } from '../../ground/database/ids.ts';
import { Failure } from '../../ground/errors.ts';
import type { Language } from '../../ground/values/language.ts';
import { addIntegration, findMember } from '../directory/members.ts';
import { checkOwnerRemains } from '../directory/owners.ts';
import { addressKey, holderOf, isHere, memberById } from '../directory/who.ts';
import { audit } from '../workspaces/audit.ts';
import { announceGrantChange } from '../workspaces/grant-changes.ts';
import { lockWorkspace } from '../workspaces/lock.ts';
import { closeWaysIn, lockAccount } from './account.ts';
import { hasRole, hasRoles, type Role } from './roles.ts';
import { readHeld, recordRoleUndo } from './undo-role.ts';
import type { KnownUser } from './user.ts';

export type { KnownUser } from './user.ts';

export interface NewAccount {
  email: string;
  name: string;
  language?: Language;
}

/** The permissions of a user in a workspace. */
export interface NewRole {
  workspaceId: number;
  role: Role;
  /** Email, employee number or id of the member that they act as. If absent: the same as before, else the one with their address, if there is one. */
  member?: string;
}

/**
 * The accounts of an address, those with a role first, then the oldest. There are several if owners who do not manage each other's
 * workspaces have added a user with this address (decision 69).
 */
export function findUsers(on: Queryable, email: string): Promise<(KnownUser & { hasRole: boolean })[]> {
  return on.query<KnownUser & { hasRole: boolean }>(
    `select u.id, u.email, u.name, ${hasRoles('u')} as "hasRole"
       from users u
      where u.email = ${addressKey('$1')}
      order by "hasRole" desc, u.id`,
    [email],
  );
}

/** The account of an address in a workspace; null if it has no role there. */
export function findUserOf(on: Queryable, workspaceId: number, email: string): Promise<KnownUser | null> {
  return queryOptional<KnownUser>(
    on,
    `select u.id, u.email, u.name
       from users u
       join user_roles r on r.user_id = u.id and r.workspace_id = $1
      where u.email = ${addressKey('$2')}
      order by u.id
      limit 1`,
    [workspaceId, email],
  );
}

/** The role of a user in a workspace; null without a role. Locked until the end of the transaction. */
export async function findRole(tx: Queryable, workspaceId: number, userId: number): Promise<Role | null> {
  await lockAccount(tx, userId);
  const held = await queryOptional<{ role: Role }>(
    tx,
    'select role from user_roles where workspace_id = $1 and user_id = $2',
    [workspaceId, userId],
  );
  return held?.role ?? null;
}

/** The owner who was added first; null without an owner. */
export function findFirstOwner(on: Queryable): Promise<KnownUser | null> {
  return queryOptional<KnownUser>(
    on,
    `select id, email, name
       from users u
      where exists (select from user_roles r where r.user_id = u.id and r.role = 'OWNER')
      order by id
      limit 1`,
  );
}

/** The workspaces whose people sign in, those with the latest sign-in first. */
export async function listVisitedWorkspaces(on: Queryable, most: number): Promise<number[]> {
  const rows = await on.query<{ id: number }>(
    `select r.workspace_id as id
       from user_roles r
       join users u on u.id = r.user_id
      where u.signed_in_at is not null
      group by r.workspace_id
      order by max(u.signed_in_at) desc, r.workspace_id
      limit $1`,
    [most],
  );
  return rows.map(({ id }) => id);
}

/** The account that an operator means by an address: the one in this workspace, else the oldest that has a role, else the oldest. */
export async function findAccount(tx: Queryable, workspaceId: number, email: string): Promise<KnownUser | null> {
  return (await findUserOf(tx, workspaceId, email)) ?? (await findUsers(tx, email))[0] ?? null;
}

export async function findOrAddUser(tx: Queryable, workspaceId: number, person: NewAccount): Promise<KnownUser> {
  return (await findAccount(tx, workspaceId, person.email)) ?? addUser(tx, person);
}

/** Adds an account without any role, also if the address has accounts already. */
export async function addUser(tx: Queryable, { email, name, language = 'en' }: NewAccount): Promise<KnownUser> {
  const [id] = await takeIds(tx, 'api_tokens', 1);
  return queryOne<KnownUser>(
    tx,
    `insert into users (id, email, name, language)
     values ($1, ${addressKey('$2')}, $3, $4)
     returning id, email, name`,
    [id, email, name, language],
  );
}

/**
 * Gives a user a role in a workspace, in place of the one that they have there. Returns whether it is their only one: then they
 * need a link. An account without a role may be in the hands of people of a workspace that it belonged to: they must not come along.
 *
 * It takes the lock of the workspace, so that no member leaves while their role changes, and then that of the account.
 */
export async function giveRole(tx: Queryable, actor: Actor, user: KnownUser, given: NewRole): Promise<boolean> {
  const { workspaceId, role } = given;
  await lockWorkspace(tx, workspaceId);
  await lockAccount(tx, user.id);
  const isFirst = !(await hasRole(tx, user.id));
  if (isFirst) await closeWaysIn(tx, user.id);
  const before = await readHeld(tx, workspaceId, user.id);
  const memberId = await memberFor(tx, user, given, before?.memberId ?? null);
  if (before && before.role === role && before.memberId === memberId) return isFirst;
  await tx.query(
    `insert into user_roles (workspace_id, user_id, role, member_id)
     values ($1, $2, $3, $4)
     on conflict (workspace_id, user_id) do update set role = excluded.role, member_id = excluded.member_id`,
    [workspaceId, user.id, role, memberId],
  );
  if (before?.role === 'OWNER') await checkOwnerRemains(tx, workspaceId);
  await announceGrantChange(tx);
  if (before) await recordRoleUndo(tx, actor, workspaceId, user.id, before, { role, memberId });
  await audit(tx, {
    workspaceId,
    actor,
    action: before ? 'user.changed' : 'user.added',
    subject: { id: user.id, name: user.name },
    detail: {
      role,
      ...(before && { before: before.role }),
      ...(before && before.memberId !== memberId && { member: memberId }),
    },
  });
  return isFirst;
}

/**
 * The member that a user acts as: the one that is named, else the same as before, else the person who has their address. So an owner
 * links a user to a person who came into the directory later; nothing that the directory does links them. A manager acts as
 * themselves, because their reports are those of a member. Others may act as a record that only sends.
 */
async function memberFor(
  tx: Queryable,
  { email, name }: KnownUser,
  { workspaceId, role, member }: NewRole,
  current: number | null,
): Promise<number> {
  const named = member === undefined ? null : await findMember(tx, workspaceId, member);
  const people = await tx.query<{ how: string; id: number; isHere: boolean }>(peopleSql, [
    workspaceId,
    named,
    current,
    email,
  ]);
  const by = (how: string) => people.find((one) => one.how === how);
  const before = by('before');
  const found =
    by('name') ?? people.find(({ isHere }) => isHere) ?? before ?? (current === null ? by('address') : null);
  if (found && found !== before && !found.isHere)
    throw new Failure(
      'conflict',
      `Member ${found.id} has left, so this user would have no access: mark them as returned first, or name another member.`,
    );
  if (found) return found.id;
  if (role === 'MANAGER')
    throw new Failure('conflict', `No member of this workspace has the address ${email}: name the member who manages.`);
  return current ?? addIntegration(tx, workspaceId, name);
}

const peopleSql = `
  select found.how, m.id, ${isHere('m')} as "isHere"
    from (values (1, 'name', $2::bigint), (2, 'before', ${memberById('$1', '$3::bigint')}), (3, 'address', ${holderOf('$1', '$4')}))
           as found (nth, how, id)
    join members m on m.workspace_id = $1 and m.id = found.id
   order by found.nth`;

/** Takes a user's role in a workspace away. Their sessions see it within a second; with the last role they end. */
export async function takeRole(tx: Queryable, actor: Actor, workspaceId: number, user: KnownUser): Promise<boolean> {
  await lockWorkspace(tx, workspaceId);
  await lockAccount(tx, user.id);
  const taken = await readHeld(tx, workspaceId, user.id);
  if (!taken) return false;
  await tx.query('delete from user_roles where workspace_id = $1 and user_id = $2', [workspaceId, user.id]);
  if (taken.role === 'OWNER') await checkOwnerRemains(tx, workspaceId);
  if (!(await hasRole(tx, user.id))) await closeWaysIn(tx, user.id);
  await announceGrantChange(tx);
  await recordRoleUndo(tx, actor, workspaceId, user.id, taken, null);
  await audit(tx, { workspaceId, actor, action: 'user.removed', subject: { id: user.id, name: user.name } });
  return true;
}
