import type { Audience } from '../../ground/contract/audience.ts';
import type { Queryable } from '../../ground/database/database.ts';
import { isEmail } from '../../ground/values/email.ts';
import { type AudienceMember, audienceFields, matches } from '../directory/audience.ts';
import { jsonFields } from '../directory/columns.ts';
import { customOf } from '../directory/custom-fields.ts';
import { shownName } from '../directory/names.ts';
import { hasEmail, hasLeft, isPerson } from '../directory/who.ts';
import type { WorkspaceGrant } from './grant.ts';
import type { OidcPerson } from './oidc.ts';
import { scopesOfRole } from './roles.ts';
import { isFeed } from './scopes.ts';
import { workspaceJson } from './workspace-json.ts';

/** What decides whether a member `m` is let in as an employee of the workspace `w`, besides `isOpenTo`. */
interface Asked {
  /** Null: the access is not limited to an audience. */
  audience: Audience | null;
  person: AudienceMember | null;
}

/** A member as whom a session reads and spends. */
export type SessionMember = Omit<WorkspaceGrant, 'scopes' | 'onlyReportsOf'> & Asked;

const limited = `w.employee_access = 'AUDIENCE'`;

/** What an audience asks about a person; read only where there is an audience. */
const audienceColumns = (workspaceId: string) => ({
  audience: `case when ${limited} then w.employee_audience end`,
  person: `case when ${limited} then json_build_object(
             ${jsonFields('m', audienceFields)},
             'custom', coalesce(${customOf('m', workspaceId)}, '{}'),
             'teamIds', array(select t.team_id from team_members t
                               where t.workspace_id = ${workspaceId} and t.member_id = m.id) || m.team_id,
             'recordIds', array(select x.id from members x
                                 where x.workspace_id = ${workspaceId} and x.merged_into = m.id) || m.id) end`,
});

/** Of a member `m` of any workspace. */
const audienceOfAny = audienceColumns('m.workspace_id');

/**
 * True for a person of a workspace whose employees sign in. People who have left come in for as many days as the workspace allows. Merged records
 * do not: their person has another one.
 */
const isOpenTo = `
       w.employee_access <> 'OFF'
   and ${isPerson('m')}
   and (not (${hasLeft('m')}) or m.left_at + w.leaver_access_days * interval '1 day' > now())`;

const isAsked = ({ audience, person }: Asked) => audience === null || (person !== null && matches(audience, person));

/**
 * As whom a session `s` reads and spends now, as JSON. A person who leaves or returns, another address, another code, and access that was turned off
 * meanwhile end it.
 */
export const membershipsOf = (s: string) => `
  (select coalesce(json_agg(${workspaceJson(`
             'memberId', m.id,
             'senderName', coalesce(nullif(${shownName('m')}, ''), w.name),
             'role', 'EMPLOYEE',
             'firstTokenId', null,
             'hasLeft', ${hasLeft('m')},
             'provesEmail', coalesce(${hasEmail('m', `${s}.email_key`)}, false),
             'audience', ${audienceOfAny.audience},
             'person', ${audienceOfAny.person}`)} order by w.id), '[]')
     from session_members held
     join workspaces w on w.id = held.workspace_id
     join members m on m.workspace_id = held.workspace_id and m.id = held.member_id
    where held.session_id = ${s}.id
      and ${isOpenTo}
      and ${s}.created_at >= w.employee_access_since
      and held.has_left = (${hasLeft('m')})
      and (${s}.way = 'KIOSK'
           or ${hasEmail('m', `${s}.email_key`)}
           or (w.employees_by_subject and m.external_id = ${s}.oidc_subject)))`;

export function grantsOfMemberships(memberships: readonly SessionMember[]): WorkspaceGrant[] {
  return memberships.filter(isAsked).map(({ audience: _audience, person: _person, ...workspace }) => ({
    ...workspace,
    scopes: scopesOfRole.EMPLOYEE.filter((scope) => !workspace.hasLeft || !isFeed(scope)),
    onlyReportsOf: null,
  }));
}

/** A member who may sign in as an employee. */
export interface Employee {
  workspaceId: number;
  memberId: number;
  hasLeft: boolean;
  name: string;
  /** As it is recorded. */
  email: string | null;
  /** The person's, else the workspace's. */
  language: string;
  workspaceName: string;
}

type EmployeeRow = Employee & Asked;

const employeeColumns = ({ audience, person } = audienceOfAny) => `
         w.id as "workspaceId", m.id as "memberId", ${hasLeft('m')} as "hasLeft", ${shownName('m')} as name, m.email,
         coalesce(m.own_language, w.language) as language, w.name as "workspaceName",
         ${audience} as audience, ${person} as person`;

/**
 * The employees with a recorded email address: at most one in each workspace. One look-up in an index for each workspace that lets them in. What is
 * typed can have letters that PostgreSQL lower-cases to ASCII, as the Kelvin sign: it is another address.
 */
export async function findEmployees(on: Queryable, email: string): Promise<Employee[]> {
  if (!isEmail(email)) return [];
  const rows = await on.query<EmployeeRow>(
    `select ${employeeColumns()}
       from workspaces w
       join members m on m.workspace_id = w.id and ${hasEmail('m', '$1')}
      where ${isOpenTo}
      order by w.id`,
    [email],
  );
  return rows.filter(isAsked);
}

/** The employees whom an OpenID provider has identified: by the address that it has verified, or by its subject where a workspace wants that. */
export async function findByProvider(
  on: Queryable,
  { subject, verifiedEmail }: Pick<OidcPerson, 'subject' | 'verifiedEmail'>,
): Promise<Employee[]> {
  const byAddress = verifiedEmail === null ? [] : await findEmployees(on, verifiedEmail);
  const bySubject = await on.query<EmployeeRow>(
    `select ${employeeColumns()}
       from workspaces w
       join members m on m.workspace_id = w.id and m.external_id = $1
      where ${isOpenTo}
        and w.employees_by_subject
      order by w.id, m.id`,
    [subject],
  );
  const others = bySubject.filter(
    (one, nth) =>
      isAsked(one) &&
      !byAddress.some(({ workspaceId }) => workspaceId === one.workspaceId) &&
      bySubject.findIndex(({ workspaceId }) => workspaceId === one.workspaceId) === nth,
  );
  return [...byAddress, ...others].filter((one) => !one.hasLeft);
}

/** Which of these people read the feed: employees who are let in, and users, who act as them. People who have left do not. */
export async function findFeedReaders(
  on: Queryable,
  workspaceId: number,
  memberIds: readonly number[],
): Promise<Set<number>> {
  const rows = await on.query<EmployeeRow & { isUser: boolean }>(
    `select ${employeeColumns(audienceColumns('$1'))}, user_role.id is not null as "isUser"
       from workspaces w
       join members m on m.workspace_id = w.id and m.id = any($2::bigint[]) and ${isPerson('m')} and not (${hasLeft('m')})
       left join lateral (
              select r.user_id as id from user_roles r where r.workspace_id = w.id and r.member_id = m.id limit 1) user_role on true
      where w.id = $1
        and (user_role.id is not null or ${isOpenTo})`,
    [workspaceId, memberIds],
  );
  return new Set(rows.filter((one) => one.isUser || isAsked(one)).map(({ memberId }) => memberId));
}

/** An employee and the hash of their code for kiosks. */
export interface CodeHolder extends Employee {
  hash: Buffer;
  keyVersion: number;
}

/** The employee with a number in a workspace, and their code. Null for a person without a code, or who has left, and for a number of no person. */
export async function findCodeHolder(on: Queryable, workspaceId: number, number: string): Promise<CodeHolder | null> {
  const rows = await on.query<EmployeeRow & CodeHolder>(
    `select ${employeeColumns(audienceColumns('$1'))}, k.hash, k.key_version as "keyVersion"
       from workspaces w
       join members m on m.workspace_id = w.id and m.employee_number = $2
       join kiosk_codes k on k.workspace_id = w.id and k.member_id = m.id
      where w.id = $1
        and ${isOpenTo}
        and not (${hasLeft('m')})`,
    [workspaceId, number],
  );
  return rows.find(isAsked) ?? null;
}
