import { type Queryable, queryOne, queryOptional } from '../../ground/database/database.ts';
import { shownName } from '../directory/names.ts';
import { hasEmail, hasLeft, hasLogin } from '../directory/who.ts';
import type { Grant, SignedInUser, Way, WorkspaceGrant } from './grant.ts';
import { grantsOfMemberships, membershipsOf, type SessionMember } from './memberships.ts';
import { type Role, scopesOfRole, seesReportsOnly } from './roles.ts';
import { isPersonal, withImplied } from './scopes.ts';
import { workspaceJson } from './workspace-json.ts';

/**
 * When a token `t` ends. An overlap sets `revoked_at` to a time in the future and leaves `expires_at` as it was, because
 * the next rotation needs the lifetime that the token was made for.
 */
export const tokenEndSql = 'least(t.expires_at, t.revoked_at)';

/** True for a token or a session that is not revoked. */
const isNotRevoked = (alias: string) => `(${alias}.revoked_at is null or ${alias}.revoked_at > now())`;

const epochMs = (moment: string) => `floor(extract(epoch from ${moment}) * 1000)::bigint`;

/** When a grant ends, and how long it still lasts by the database's clock. */
const endColumns = (end: string) => `
         ${epochMs(end)} as "expiresAt",
         (extract(epoch from ${end} - now()) * 1000)::float8 as "lastsMs"`;

/** How often the last use of a token is written at most. A busy token must not cost a write for each request. */
const noteEvery = `interval '10 minutes'`;

const tokenGrantsSql = `
  select encode(t.hash, 'hex')   as hash,
         t.id,
         t.name,
         ${endColumns(tokenEndSql)},
         t.rate_limit_per_minute as "rateLimitPerMinute",
         (t.last_used_at is null or t.last_used_at < now() - ${noteEvery}) as "isUseDue",
         json_agg(${workspaceJson(`
           'memberId', tw.member_id,
           'senderName', coalesce(t.name, w.name),
           'scopes', t.scopes,
           'role', null,
           'firstTokenId', coalesce(t.first_id, t.id),
           'onlyReportsOf', null,
           'hasLeft', false,
           'provesEmail', false`)}) as workspaces
    from api_tokens t
    join api_token_workspaces tw on tw.token_id = t.id
    join workspaces w            on w.id = tw.workspace_id
   where t.hash = any($1::bytea[])
     and ${isNotRevoked('t')}
   group by t.id`;

interface TokenRow extends Pick<Grant, 'expiresAt' | 'lastsMs' | 'rateLimitPerMinute' | 'workspaces'> {
  hash: string;
  id: number;
  name: string | null;
  /** Whether its last use was written long ago. */
  isUseDue: boolean;
}

export async function readTokenGrants(database: Queryable, hashes: string[]): Promise<(Grant | null)[]> {
  const rows = await database.query<TokenRow>(tokenGrantsSql, [bytesOf(hashes)]);
  noteUse(
    database,
    rows.filter(({ isUseDue }) => isUseDue).map(({ id }) => id),
  );
  return inSequence(hashes, rows, ({ id, name, expiresAt, lastsMs, rateLimitPerMinute, workspaces }) => ({
    callerId: id,
    token: { id, name },
    session: null,
    followsDirectory: false,
    expiresAt,
    lastsMs,
    rateLimitPerMinute,
    workspaces: workspaces.map((one) => ({ ...one, scopes: withImplied(one.scopes) })),
  }));
}

/** Callers do not wait for it, and a database that rejects the write still serves them: the next reading tries again. */
function noteUse(database: Queryable, ids: readonly number[]): void {
  if (ids.length === 0) return;
  const noted = database.query(
    `update api_tokens
        set last_used_at = now()
      where id = any($1::bigint[])
        and (last_used_at is null or last_used_at < now() - ${noteEvery})`,
    [ids],
  );
  noted.catch(() => {});
}

/**
 * A user `u` with their workspaces. A role ends when its person leaves the company: leavers have no rights in its workspace. `provenEmail` is the
 * address that a session has proven.
 */
const userColumns = (provenEmail: string) => `
         case when u.id is not null
              then json_build_object('id', u.id, 'email', u.email, 'name', u.name, 'language', u.language) end as user,
         coalesce(
           json_agg(${workspaceJson(`
             'memberId', m.id,
             'senderName', coalesce(m.preferred, u.name),
             'firstTokenId', null,
             'hasLeft', false,
             'provesEmail', coalesce(${hasEmail('m', provenEmail)}, false),
             'isThemselves', m.is_integration or coalesce(${hasEmail('m', 'u.email')}, false) or coalesce(${hasLogin('m', 'u.email')}, false),
             'role', r.role`)} order by w.id) filter (where w.id is not null and not (${hasLeft('m')})),
           '[]') as workspaces`;

const userTables = `
    left join user_roles r on r.user_id = u.id
    left join workspaces w on w.id = r.workspace_id
    left join lateral (select m.id, m.left_at, m.is_integration, m.email_key, m.user_name, case when m.preferred_name is not null then ${shownName('m')} end as preferred
                         from members m
                        where m.workspace_id = r.workspace_id
                          and m.id = r.member_id
                        limit 1) m on true`;

const sessionGrantsSql = `
  select encode(s.hash, 'hex') as hash,
         s.id                  as "sessionId",
         s.way,
         ${userColumns('s.email_key')},
         ${membershipsOf('s')} as memberships,
         ${endColumns('s.expires_at')}
    from sessions s
    left join users u on u.id = s.user_id
    ${userTables}
   where s.hash = any($1::bytea[])
     and ${isNotRevoked('s')}
   group by s.id, u.id`;

interface SessionRow {
  hash: string;
  sessionId: number;
  way: Way;
  user: SignedInUser | null;
  expiresAt: number;
  lastsMs: number;
  workspaces: HeldRole[];
  memberships: SessionMember[];
}

type HeldRole = Omit<WorkspaceGrant, 'scopes' | 'onlyReportsOf'> & {
  role: Role;
  /** Whether the member that the user acts as has their address. An owner can let a user act as another person. */
  isThemselves: boolean;
};

export async function readSessionGrants(database: Queryable, hashes: string[]): Promise<(Grant | null)[]> {
  const rows = await database.query<SessionRow>(sessionGrantsSql, [bytesOf(hashes)]);
  return inSequence(hashes, rows, ({ sessionId, way, user, expiresAt, lastsMs, workspaces, memberships }) => {
    const held = workspaces.map(withRole);
    const asMember = grantsOfMemberships(
      memberships.filter(({ workspaceId }) => !held.some((one) => one.workspaceId === workspaceId)),
    );
    if (user === null && asMember.length === 0) return null;
    return {
      // No caller has the id of a session: it is below zero.
      callerId: user?.id ?? -sessionId,
      token: null,
      session: { id: sessionId, way, user },
      followsDirectory: memberships.length > 0,
      expiresAt,
      lastsMs,
      rateLimitPerMinute: null,
      workspaces: [...held, ...asMember],
    };
  });
}

/** What a user may do in a workspace, without a session: for a link that was emailed to them. Null: nothing. */
export async function readUserGrant(
  on: Queryable,
  userId: number,
  workspaceId: number,
): Promise<{ user: SignedInUser; workspace: WorkspaceGrant } | null> {
  const sql = `select ${userColumns('null::text')} from users u ${userTables} where u.id = $1 group by u.id`;
  const found = await queryOptional<{ user: SignedInUser; workspaces: HeldRole[] }>(on, sql, [userId]);
  const workspace = found?.workspaces.find((one) => one.workspaceId === workspaceId);
  return found && workspace ? { user: found.user, workspace: withRole(workspace) } : null;
}

/** For a person who gives a shoutout by a link that was emailed to them. They need no account. */
export async function readShoutoutGrant(on: Queryable, workspaceId: number, memberId: number): Promise<WorkspaceGrant> {
  return (await queryOne<FoundGrant>(on, grantSql, [workspaceId, memberId, ['recognition:write']])).workspace;
}

function withRole({ isThemselves, ...workspace }: HeldRole): WorkspaceGrant {
  const { role, memberId } = workspace;
  const scopes = isThemselves ? scopesOfRole[role] : scopesOfRole[role].filter((scope) => !isPersonal(scope));
  return { ...workspace, scopes, onlyReportsOf: seesReportsOnly(role) ? memberId : null };
}

function bytesOf(hashes: readonly string[]): Buffer[] {
  return hashes.map((hash) => Buffer.from(hash, 'hex'));
}

function inSequence<Row extends { hash: string }>(
  hashes: readonly string[],
  rows: readonly Row[],
  grantOf: (row: Row) => Grant | null,
): (Grant | null)[] {
  const byHash = new Map(rows.map((row) => [row.hash, grantOf(row)]));
  return hashes.map((hash) => byHash.get(hash) ?? null);
}

/**
 * What the company itself may do in a workspace, as a token without restrictions to people: send gifts and give shoutouts, in its own name or in that of
 * a member. `memberId` is the member that it acts as.
 */
export async function readCompanyGrant(
  on: Queryable,
  workspaceId: number,
  memberId: number,
): Promise<WorkspaceGrant | null> {
  const scopes = ['orders:write', 'orders:delegate', 'recognition:write', 'recognition:delegate'];
  const found = await queryOptional<FoundGrant>(on, grantSql, [workspaceId, memberId, scopes]);
  return found?.workspace ?? null;
}

interface FoundGrant {
  workspace: WorkspaceGrant;
}

/** The scopes $3 in the workspace $1 for the member $2, without a role. */
const grantSql = `
  select ${workspaceJson(
    `
           'memberId', $2::bigint,
           'senderName', w.name,
           'scopes', to_json($3::text[]),
           'role', null,
           'firstTokenId', null,
           'onlyReportsOf', null,
           'hasLeft', false,
           'provesEmail', false`,
    '$1',
  )} as workspace
    from workspaces w
   where w.id = $1`;
