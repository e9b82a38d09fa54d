import { type Queryable, queryOptional } from '../../ground/database/database.ts';
import { Failure } from '../../ground/errors.ts';
import { memberById } from '../directory/who.ts';
import { lockAccount } from './account.ts';
import type { Grant } from './grants.ts';
import { type Role, scopesToGive } from './roles.ts';
import { findUsers, type KnownUser } from './users.ts';

/** A person who may sign in to a workspace. */
export interface UserRecord {
  id: number;
  email: string;
  name: string;
  role: Role;
  memberId: number;
  /** Whether that member is a person of the directory, and not a record that only sends. */
  isLinked: boolean;
  hasPassword: boolean;
  hasOidc: boolean;
  addedAt: Date;
  signedInAt: Date | null;
  /** How many browsers they are signed in with. */
  sessions: number;
}

export interface UserFilters {
  search?: string;
  role?: Role;
  /** The id of the last one of the page before. */
  after?: number;
  size: number;
}

const columns = `
  u.id, u.email, u.name, r.role, r.member_id as "memberId",
  ${memberById('$1', 'r.member_id')} is not null as "isLinked", u.password is not null as "hasPassword",
  u.oidc_subject is not null as "hasOidc", r.given_at as "addedAt", u.signed_in_at as "signedInAt",
  (select count(*)::int
     from sessions s
    where s.user_id = u.id and s.revoked_at is null and s.expires_at > now()) as sessions`;

/** The people who may sign in to a workspace, those added last first. */
export async function listUsers(
  database: Queryable,
  workspaceId: number,
  { search, role, after, size }: UserFilters,
): Promise<{ users: UserRecord[]; next: number | null }> {
  const found = await database.query<UserRecord>(
    `select ${columns}
       from user_roles r
       join users u on u.id = r.user_id
      where r.workspace_id = $1
        and ($2::text is null or u.name || ' ' || u.email ilike $2)
        and ($3::text is null or r.role = $3)
        and ($4::bigint is null or u.id < $4)
      order by u.id desc
      limit $5`,
    [
      workspaceId,
      search === undefined ? null : `%${search.replace(/[\\%_]/g, '\\$&')}%`,
      role ?? null,
      after ?? null,
      size + 1,
    ],
  );
  const users = found.slice(0, size);
  return { users, next: found.length > size ? (users.at(-1)?.id ?? null) : null };
}

export async function readUser(on: Queryable, workspaceId: number, id: number): Promise<UserRecord> {
  const user = await queryOptional<UserRecord>(
    on,
    `select ${columns} from user_roles r join users u on u.id = r.user_id where r.workspace_id = $1 and r.user_id = $2`,
    [workspaceId, id],
  );
  if (!user) throw new Failure('missing', 'This workspace has no user with this id.');
  return user;
}

/** A user cannot give others more permissions than they have. */
export function mayGive(grant: Grant, workspaceId: number, scopes: readonly string[]): boolean {
  const own = grant.workspaces.find((one) => one.workspaceId === workspaceId)?.scopes ?? [];
  return scopes.every((scope) => own.includes(scope));
}

/** The same for a role. */
export function mayGiveRole(grant: Grant, workspaceId: number, role: Role): boolean {
  return mayGive(grant, workspaceId, scopesToGive(role));
}

/**
 * The account of an address that gets a further role from this caller: one that has roles, all of them in workspaces where the caller
 * manages users. Null without such an account: then the caller adds one, and does not learn whether others have added one.
 */
export async function findManagedUser(tx: Queryable, grant: Grant, email: string): Promise<KnownUser | null> {
  for (const user of await findUsers(tx, email)) {
    // Without a lock first: nothing that happens to an account of others may delay this caller.
    const isManaged = managesAll(grant, await readRoles(tx, user.id)) && (await rulesOver(tx, grant, user.id));
    if (isManaged) return user;
  }
  return null;
}

/**
 * Whether the caller may do something to an account as a whole: let it in, or end its sessions. It may have roles in other workspaces:
 * the caller must have the right to manage people there too, and everything that these roles allow. Until the end of the transaction
 * the account gets no other role.
 */
export async function rulesOver(tx: Queryable, grant: Grant, userId: number): Promise<boolean> {
  await lockAccount(tx, userId);
  return managesAll(grant, await readRoles(tx, userId));
}

interface HeldRole {
  workspaceId: number;
  role: Role;
}

function readRoles(tx: Queryable, userId: number): Promise<HeldRole[]> {
  return tx.query<HeldRole>('select workspace_id as "workspaceId", role from user_roles where user_id = $1', [userId]);
}

/** Whether the caller manages users in all of these workspaces. An account without a role is managed by no caller. */
function managesAll(grant: Grant, held: readonly HeldRole[]): boolean {
  const manages = ({ workspaceId, role }: HeldRole) =>
    mayGive(grant, workspaceId, ['users:manage']) && mayGiveRole(grant, workspaceId, role);
  return held.length > 0 && held.every(manages);
}
