import { type Queryable, queryOne, queryOptional } from '../database/database.ts';
import { takeIds } from '../database/ids.ts';
import { addIntegration, findMember } from '../directory/members.ts';
import { addressKey, holderOf, isHere, memberById, memberOfRole } from '../directory/who.ts';
import { Failure } from '../errors.ts';
import { announceGrantChange } from '../workspaces/grant-changes.ts';
import { closeWaysIn, lockAccount } from './account.ts';
import { type Actor, audit } from './audit.ts';
import type { Role } from './roles.ts';

export type UserLanguage = 'en' | 'fr' | 'es';

export interface NewUser {
  email: string;
  name: string;
  language?: UserLanguage;
}

/** What somebody may do in a workspace. */
export interface NewRole {
  workspaceId: number;
  role: Role;
  /** E-mail, employee number or id of the member that they act as. If absent: the same as before, else the one with their address, if there is one. */
  member?: string;
}

export interface KnownUser {
  id: number;
  email: string;
  name: string;
}

export function findUser(on: Queryable, email: string): Promise<KnownUser | null> {
  return queryOptional<KnownUser>(on, `select id, email, name from users where email = ${addressKey('$1')}`, [email]);
}

/** The role of somebody in a workspace; null if there is none. Until the end of the transaction the account gets no other. */
export async function findRole(tx: Queryable, workspaceId: number, userId: number): Promise<Role | null> {
  await lockAccount(tx, userId);
  const held = await queryOptional<{ role: Role }>(
    tx,
    'select role from user_roles where workspace_id = $1 and user_id = $2',
    [workspaceId, userId],
  );
  return held?.role ?? null;
}

/** The owner who was added first; null if there is none. */
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

/** Finds a person by their address, or adds them without any role. */
export async function findOrAddUser(tx: Queryable, { email, name, language = 'en' }: NewUser): Promise<KnownUser> {
  const [id] = await takeIds(tx, 'api_tokens', 1);
  const added = await queryOptional<KnownUser>(
    tx,
    `insert into users (id, email, name, language)
     values ($1, ${addressKey('$2')}, $3, $4)
     on conflict (email) do nothing
     returning id, email, name`,
    [id, email, name, language],
  );
  return added ?? ((await findUser(tx, email)) as KnownUser);
}

/**
 * Gives somebody a role in a workspace, in place of the one that they have there. Returns whether it is their only one: then they
 * need a link. An account without a role may be in the hands of people of a workspace that it belonged to: they must not come along.
 */
export async function giveRole(tx: Queryable, actor: Actor, user: KnownUser, given: NewRole): Promise<boolean> {
  const { workspaceId, role } = given;
  await lockAccount(tx, user.id);
  const isFirst = !(await hasRole(tx, user.id));
  if (isFirst) await closeWaysIn(tx, user.id);
  const before = await queryOptional<{ role: Role; memberId: number }>(
    tx,
    'select role, member_id as "memberId" from user_roles where workspace_id = $1 and user_id = $2 for update',
    [workspaceId, user.id],
  );
  if (before?.role === 'OWNER' && role !== 'OWNER') await checkOtherOwner(tx, workspaceId, user.id);
  const memberId = await memberFor(tx, user, given, before?.memberId ?? null);
  await tx.query(
    `insert into user_roles (workspace_id, user_id, role, member_id)
     values ($1, $2, $3, $4)
     on conflict (workspace_id, user_id) do update set role = excluded.role, member_id = excluded.member_id`,
    [workspaceId, user.id, role, memberId],
  );
  await announceGrantChange(tx);
  await audit(tx, {
    workspaceId,
    actor,
    action: before ? 'user.changed' : 'user.added',
    subject: { id: user.id, name: user.name },
    detail: { role, ...(before && { before: before.role }) },
  });
  return isFirst;
}

/** A manager acts as themselves, because their reports are those of a member. Others may act as a record that only sends. */
async function memberFor(
  tx: Queryable,
  { email, name }: KnownUser,
  { workspaceId, role, member }: NewRole,
  current: number | null,
): Promise<number> {
  if (member !== undefined) return findMember(tx, workspaceId, member);
  const own = await queryOne<{ id: number | null }>(tx, ownSql, [workspaceId, email, current]);
  if (own.id !== null) return own.id;
  if (role === 'MANAGER')
    throw new Failure('conflict', `No member of this workspace has the address ${email}: name the member who manages.`);
  return current ?? addIntegration(tx, workspaceId, name);
}

/** The member of the role stays, unless they have left and somebody else has the address now. */
const ownSql = `
  select coalesce((select m.id
                     from members m
                    where m.workspace_id = $1 and m.id = ${memberById('$1', '$3::bigint')} and ${isHere('m')}),
                  ${holderOf('$1', '$2')},
                  ${memberById('$1', '$3::bigint')}) as id`;

/** Takes somebody's role in a workspace away. Their sessions see it within a second; with the last role they end. */
export async function takeRole(tx: Queryable, actor: Actor, workspaceId: number, user: KnownUser): Promise<boolean> {
  await lockAccount(tx, user.id);
  await checkOtherOwner(tx, workspaceId, user.id);
  const taken = await tx.query('delete from user_roles where workspace_id = $1 and user_id = $2 returning role', [
    workspaceId,
    user.id,
  ]);
  if (taken.length === 0) return false;
  if (!(await hasRole(tx, user.id))) await closeWaysIn(tx, user.id);
  await announceGrantChange(tx);
  await audit(tx, { workspaceId, actor, action: 'user.removed', subject: { id: user.id, name: user.name } });
  return true;
}

async function hasRole(tx: Queryable, userId: number): Promise<boolean> {
  const held = await tx.query('select from user_roles where user_id = $1 limit 1', [userId]);
  return held.length > 0;
}

/**
 * A workspace that has owners keeps one, or nobody could let others in any more. One who has left the company lets nobody in. The rows
 * are locked, so that two do not leave at once.
 */
async function checkOtherOwner(tx: Queryable, workspaceId: number, userId: number): Promise<void> {
  const owners = await tx.query<{ id: number; isHere: boolean }>(ownersSql, [workspaceId]);
  const isOwner = owners.some(({ id }) => id === userId);
  if (isOwner && !owners.some(({ id, isHere }) => id !== userId && isHere))
    throw new Failure('conflict', 'This is the last owner of the workspace: make somebody else an owner first.');
}

const ownersSql = `
  select r.user_id as id,
         exists (select
                   from members m
                  where m.workspace_id = r.workspace_id and m.id = ${memberOfRole('r', 'u')} and ${isHere('m')}) as "isHere"
    from user_roles r
    join users u on u.id = r.user_id
   where r.workspace_id = $1
     and r.role = 'OWNER'
   order by r.user_id
     for update of r`;
