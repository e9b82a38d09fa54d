import assert from 'node:assert/strict';
import type { EmployeeSettingsChange } from '../../src/ground/contract/employee-settings.ts';
import type { KioskCode } from '../../src/ground/contract/kiosk-code.ts';
import type { Me } from '../../src/ground/contract/me.ts';
import { eventually, whileBusy } from './eventually.ts';
import { parseMail, type startMailServer } from './mail-server.ts';
import type { Answer, Call, TestService } from './service.ts';
import { cookieFrom, useLink } from './sign-in.ts';

type MailServer = Awaited<ReturnType<typeof startMailServer>>;

/** A browser of an employee. */
export interface EmployeeBrowser {
  cookie: string;
  call<Body = Record<string, unknown>>(path: string, call?: Call): Promise<Answer<Body>>;
}

export async function letIn(service: TestService, change: EmployeeSettingsChange, workspace = service.workspaceId) {
  const path = '/api/v1/settings/employees';
  const token = await adminOf(service, workspace);
  const { status } = await service.call(path, { method: 'PATCH', token, workspace, body: change });
  assert.equal(
    status,
    200,
    JSON.stringify(
      service
        .logLines()
        .filter((l) => l.err)
        .slice(-1),
    ),
  );
}

const admins = new Map<string, string>();

/** A token that may change people and settings of a workspace. */
export async function adminOf(service: TestService, workspace: number): Promise<string> {
  const key = `${service.database.url} ${workspace}`;
  const known = admins.get(key);
  if (known) return known;
  const { token } = await service.addToken({ workspaces: [workspace] });
  admins.set(key, token);
  return token;
}

/** Calls the API as the people team does. */
export async function asPeopleTeam<Body = Record<string, unknown>>(
  service: TestService,
  request: string,
  body?: unknown,
  workspace = service.workspaceId,
): Promise<Answer<Body>> {
  const [method = '', path] = request.split(' ');
  const token = await adminOf(service, workspace);
  return service.call<Body>(`/api/v1${path}`, { method, token, workspace, body });
}

export async function addPerson(
  service: TestService,
  person: Record<string, unknown>,
  workspace = service.workspaceId,
): Promise<number> {
  const { status, body } = await asPeopleTeam<{ id: number }>(service, 'POST /members', person, workspace);
  assert.equal(status, 201, JSON.stringify(body));
  return body.id;
}

let asked = 0;

/** Asks for a sign-in link, each time from another network: those of one network are limited. */
export function askForLink(service: TestService, email: string, more: object = { page: 'my' }): Promise<Response> {
  return fetch(`${service.url}/session/email`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Origin: service.url,
      'X-Forwarded-For': `198.51.100.${++asked % 250}`,
    },
    body: JSON.stringify({ email, ...more }),
  });
}

/** The secret of the latest link to an address that was emailed after `before` emails. */
export async function linkMailedTo(mails: MailServer, address: string, before = 0): Promise<string> {
  return eventually(
    async () => {
      const sent = mails.to(address).slice(before);
      // Other emails may come in between.
      const links = await Promise.all(
        sent.map(async (mail) => /\/sign-in#(\S+)/.exec((await parseMail(mail)).text ?? '')?.[1]),
      );
      return links.findLast((link) => link !== undefined) ?? '';
    },
    (link) => link !== '',
  );
}

/** Asks for a link by email and returns its secret. */
export async function mailedLink(service: TestService, mails: MailServer, email: string): Promise<string> {
  const before = mails.to(email).length;
  assert.equal((await askForLink(service, email)).status, 202);
  return linkMailedTo(mails, email, before);
}

/** Signs an employee in as the page of their link does. */
export async function signInByEmail(service: TestService, mails: MailServer, email: string): Promise<EmployeeBrowser> {
  const answer = await useLink(service.url, await mailedLink(service, mails, email));
  assert.equal(answer.status, 204);
  return employeeWith(service, cookieFrom(answer));
}

export function employeeWith(service: TestService, cookie: string): EmployeeBrowser {
  return {
    cookie,
    call: (path, { headers, ...call } = {}) =>
      whileBusy(() =>
        service.call(path, { ...call, token: null, headers: { Cookie: cookie, Origin: service.url, ...headers } }),
      ),
  };
}

export const meOf = async ({ call }: EmployeeBrowser) => (await call<Me>('/api/v1/me')).body;

/** Whether a session still works as an employee of the workspace. */
export async function readsPreferences({ call }: EmployeeBrowser): Promise<number> {
  return (await call('/api/v1/me/preferences')).status;
}

/** Signs a person in with a printed code: an employee with no role. Employees must be let in before. */
export async function asEmployee(
  service: TestService,
  memberId: number,
  workspace = service.workspaceId,
): Promise<EmployeeBrowser> {
  const made = await asPeopleTeam<KioskCode>(service, `POST /members/${memberId}/kiosk-code`, undefined, workspace);
  assert.equal(made.status, 201, JSON.stringify(made.body));
  const { employeeNumber, code } = made.body;
  const entered = await fetch(`${service.url}/session/kiosk`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Origin: service.url },
    body: JSON.stringify({ workspace, employeeNumber, code }),
  });
  assert.equal(entered.status, 204);
  const { call } = employeeWith(service, cookieFrom(entered));
  return { cookie: cookieFrom(entered), call: (path, asked) => call(path, { workspace, ...asked }) };
}
