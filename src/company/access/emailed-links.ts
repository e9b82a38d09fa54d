import type { Database, Queryable } from '../../ground/database/database.ts';
import { addressKey, isHere } from '../directory/who.ts';
import { theService } from '../workspaces/audit.ts';
import { makeEmployeeLink } from './employee-sessions.ts';
import { type Employee, findEmployees } from './memberships.ts';
import { makeSignInLink, type SignInOptions } from './sessions.ts';
import type { KnownUser } from './user.ts';

/** A sign-in link to be emailed. */
export interface LinkToEmail {
  /** The address, as it is recorded and not as it was typed. */
  to: string;
  /** The id of the user; null for employees who are not users. */
  userId: number | null;
  /** The user's; an employee's has its region. */
  language: string;
  /** The workspaces that it opens. */
  workspaces: { id: number; name: string }[];
  secret: string;
}

/**
 * Creates a sign-in link for each account of an address that can open a workspace, else one for the employees who have the address; none for an address
 * without either. Several accounts have one address if owners who do not manage each other's workspaces have added it (decision 69).
 */
export function makeLinksOf(
  database: Database,
  options: Pick<SignInOptions, 'environment'>,
  email: string,
): Promise<LinkToEmail[]> {
  return database.transaction(async (tx) => {
    const employees = await findEmployees(tx, email);
    const accounts = await tx.query<KnownUser & Pick<LinkToEmail, 'language' | 'workspaces'>>(accountsSql, [email]);
    if (accounts.length === 0) return linkOfEmployees(tx, options, employees);
    const links: LinkToEmail[] = [];
    for (const { language, workspaces, ...user } of accounts) {
      const { secret } = await makeSignInLink(tx, theService, options.environment, user, employees);
      links.push({ to: user.email, userId: user.id, language, workspaces, secret });
    }
    return links;
  });
}

async function linkOfEmployees(
  tx: Queryable,
  options: Pick<SignInOptions, 'environment'>,
  employees: readonly Employee[],
): Promise<LinkToEmail[]> {
  const [first] = employees;
  if (!first?.email) return [];
  const secret = await makeEmployeeLink(tx, options, first.email, employees);
  const workspaces = employees.map(({ workspaceId, workspaceName }) => ({ id: workspaceId, name: workspaceName }));
  return [{ to: first.email, userId: null, language: first.language, workspaces, secret }];
}

const accountsSql = `
  select u.id, u.email, u.name, u.language, json_agg(json_build_object('id', w.id, 'name', w.name) order by w.id) as workspaces
    from users u
    join user_roles r on r.user_id = u.id
    join workspaces w on w.id = r.workspace_id
    join members m on m.workspace_id = r.workspace_id and m.id = r.member_id
   where u.email = ${addressKey('$1')}
     and ${isHere('m')}
   group by u.id
   order by u.id`;
