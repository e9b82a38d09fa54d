import assert from 'node:assert/strict';
import type { Role } from '../../src/company/access/roles.ts';
import { makeSignInLink } from '../../src/company/access/sessions.ts';
import { findOrAddUser, giveRole, type KnownUser } from '../../src/company/access/users.ts';
import { atTheCommandLine, theService } from '../../src/company/workspaces/audit.ts';
import { whileBusy } from './eventually.ts';
import type { Answer, Call, TestService } from './service.ts';

export interface Browser {
  user: KnownUser;
  /** As a browser sends it: `giftwire=…`. */
  cookie: string;
  /** Calls an address as the console does: with the cookie, from the service's own origin. */
  call<Body = Record<string, unknown>>(path: string, call?: Call): Promise<Answer<Body>>;
}

export interface Joining {
  role?: Role;
  email?: string;
  name?: string;
  /** The member that they act as; by default the one with their address. */
  member?: string;
  workspace?: number;
}

/** Adds a person with a role. Returns them and a link that signs them in. */
export function addUser(service: TestService, joining: Joining = {}): Promise<{ user: KnownUser; link: string }> {
  const { role = 'OWNER', name = 'Ada Okafor', workspace = service.workspaceId, member } = joining;
  const email = joining.email ?? `${role.toLowerCase()}@example.com`;
  return service.database.transaction(async (tx) => {
    const user = await findOrAddUser(tx, workspace, { email, name });
    await giveRole(tx, atTheCommandLine, user, {
      workspaceId: workspace,
      role,
      ...(member !== undefined && { member }),
    });
    const { secret: link } = await makeSignInLink(tx, theService, 'test', user);
    return { user, link };
  });
}

/** Signs a person with a role in, as the page of a link does. */
export async function signIn(service: TestService, joining: Joining = {}): Promise<Browser> {
  const { user, link } = await addUser(service, joining);
  const answer = await useLink(service.url, link);
  assert.equal(answer.status, 204);
  return browserWith(service, user, cookieFrom(answer), joining.workspace ?? service.workspaceId);
}

export function useLink(url: string, link: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${url}/session/link`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Origin: url, ...headers },
    body: JSON.stringify({ link }),
  });
}

export function cookieFrom({ headers }: Response): string {
  return headers.getSetCookie()[0]?.split(';')[0] ?? '';
}

export function browserWith(service: TestService, user: KnownUser, cookie: string, workspace: number): Browser {
  return {
    user,
    cookie,
    call: (path, { headers, ...call } = {}) =>
      whileBusy(() =>
        service.call(path, {
          workspace,
          ...call,
          token: null,
          headers: { Cookie: cookie, Origin: service.url, ...headers },
        }),
      ),
  };
}
