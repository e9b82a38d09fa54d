import type { Database } from '../../ground/database/database.ts';
import type { Language } from '../../ground/values/language.ts';
import { addressKey, isHere } from '../directory/who.ts';
import { theService } from '../workspaces/audit.ts';
import { makeSignInLink, type SignInOptions } from './sessions.ts';
import type { KnownUser } from './user.ts';

/** A sign-in link to be emailed to its user. */
export interface LinkToEmail {
  user: KnownUser;
  language: Language;
  /** The names of the workspaces that it opens. */
  workspaces: string[];
  secret: string;
}

/**
 * Creates a sign-in link for each account of an address that can open a workspace; none for an address without one. Several accounts
 * have one address if owners who do not manage each other's workspaces have added it (decision 69).
 */
export function makeLinksOf(
  database: Database,
  { environment }: Pick<SignInOptions, 'environment'>,
  email: string,
): Promise<LinkToEmail[]> {
  return database.transaction(async (tx) => {
    const accounts = await tx.query<KnownUser & Pick<LinkToEmail, 'language' | 'workspaces'>>(accountsSql, [email]);
    const links: LinkToEmail[] = [];
    for (const { language, workspaces, ...user } of accounts) {
      const { secret } = await makeSignInLink(tx, theService, environment, user);
      links.push({ user, language, workspaces, secret });
    }
    return links;
  });
}

const accountsSql = `
  select u.id, u.email, u.name, u.language, array_agg(w.name order by w.id) as workspaces
    from users u
    join user_roles r on r.user_id = u.id
    join workspaces w on w.id = r.workspace_id
    join members m on m.workspace_id = r.workspace_id and m.id = r.member_id
   where u.email = ${addressKey('$1')}
     and ${isHere('m')}
   group by u.id
   order by u.id`;
