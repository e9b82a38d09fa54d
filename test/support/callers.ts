import { Pool } from 'undici';
import { type PersonRole, type Role, roles } from '../../src/company/access/roles.ts';
import { scopes, withImplied } from '../../src/company/access/scopes.ts';
import { makeSecret } from '../../src/company/access/token-secret.ts';
import { createToken, revokeToken } from '../../src/company/access/tokens.ts';
import { addMembers } from '../../src/company/directory/save.ts';
import { theService } from '../../src/company/workspaces/audit.ts';
import { inWorkspace } from '../../src/company/workspaces/lock.ts';
import { queryOne } from '../../src/ground/database/database.ts';
import { anAutomation } from './automations.ts';
import { cleanUp } from './cleanup.ts';
import { addPerson, asEmployee, letIn } from './employees.ts';
import { eventually, whileBusy } from './eventually.ts';
import { aGift, anOrder } from './orders.ts';
import type { BuiltRequest } from './requests.ts';
import type { TestService } from './service.ts';
import { addUser, signIn } from './sign-in.ts';

/** Who sends a request, and for which workspace. */
export interface Caller {
  headers: Record<string, string>;
  workspace: number;
}

export interface Said {
  status: number;
  text: string;
  /** Without those that differ each time. */
  headers: Record<string, unknown>;
}

/** Sends a request as a caller. Wrong credentials are limited for each network. */
export type Ask = (caller: Caller, request: BuiltRequest, network?: number) => Promise<Said>;

export function createAsking(service: TestService): Ask {
  const pool = new Pool(service.url);
  cleanUp(() => pool.close());
  const send: Ask = async (caller, { method, path, headers, body }, network = 0) => {
    const answer = await pool.request({
      method: method as 'GET',
      path,
      headers: {
        ...headers,
        ...caller.headers,
        // SCIM knows the workspace by its token.
        ...(!path.startsWith('/scim/') && { 'X-Workspace-id': String(caller.workspace) }),
        'X-Forwarded-For': `192.0.2.${network % 250}`,
      },
      body: method === 'GET' ? null : body,
    });
    const { date: _date, 'x-request-id': _id, 'content-length': _length, ...same } = answer.headers;
    return { status: answer.statusCode, text: await answer.body.text(), headers: same };
  };
  return (...asked) => whileBusy(() => send(...asked));
}

export const byToken = (token: string, workspace: number): Caller => ({
  headers: { Authorization: `Bearer ${token}` },
  workspace,
});

/** Callers of every kind: with each role, with each single scope, with all but one, with none, and of another workspace. */
export async function openCallers(service: TestService, here: number, elsewhere: number) {
  const tokenFor = async (granted: readonly string[], workspace = here) =>
    byToken((await service.addToken({ workspaces: [workspace], scopes: granted })).token, workspace);
  const sessionOf = async (role: Role, workspace: number): Promise<Caller> => {
    const { cookie } = await signIn(service, {
      role,
      email: `${role.toLowerCase()}${workspace}@example.net`,
      workspace,
    });
    return { headers: { Cookie: cookie, Origin: service.url }, workspace };
  };
  const full = await tokenFor(scopes);
  const singles = new Map<string, Caller>();
  const almost = new Map<string, Caller>();
  for (const scope of scopes) {
    singles.set(scope, await tokenFor([scope]));
    almost.set(scope, await tokenFor(scopes.filter((one) => !withImplied([one]).includes(scope))));
  }
  const employeeOf = async (workspace: number): Promise<Caller> => {
    await letIn(service, { access: 'ALL' }, workspace);
    const employee = { email: `employee${workspace}@example.net`, employeeNumber: `E-${workspace}`, firstName: 'Emil' };
    const { cookie } = await asEmployee(service, await addPerson(service, employee, workspace), workspace);
    return { headers: { Cookie: cookie, Origin: service.url }, workspace };
  };
  const sessions = new Map<PersonRole, Caller>();
  for (const role of roles) sessions.set(role, await sessionOf(role, here));
  sessions.set('EMPLOYEE', await employeeOf(here));
  const strangers = [await tokenFor(scopes, elsewhere), await sessionOf('OWNER', elsewhere)] as const;
  const strangeEmployee = await employeeOf(elsewhere);
  return {
    full,
    singles,
    almost,
    sessions,
    strangers,
    strangeEmployee,
    unknowns: await openUnknowns(service, here, full),
  };
}

/** Callers whose credential is missing or wrong, by what is wrong with it. Callers of one kind cannot be told apart. */
async function openUnknowns(
  service: TestService,
  here: number,
  { headers }: Caller,
): Promise<Record<string, Record<string, Caller>>> {
  const good = headers.Authorization as string;
  const revoked = await service.addToken({ workspaces: [here] });
  const expired = await service.addToken({ workspaces: [here], lastsMs: -1_000 });
  const live = await service.database.transaction(async (tx) => {
    await revokeToken(tx, theService, revoked.id);
    const rights = { name: null, scopes, workspaces: [here], lastsMs: null, rateLimitPerMinute: null };
    return createToken(tx, theService, 'production', rights);
  });
  return {
    none: {
      'no credential': { headers: {}, workspace: here },
      'none, for a workspace that does not exist': { headers: {}, workspace: 999_999_999 },
    },
    notBearer: {
      'an empty one': { headers: { Authorization: '' }, workspace: here },
      'another scheme': { headers: { Authorization: good.replace('Bearer', 'Basic') }, workspace: here },
    },
    mistyped: { 'a malformed one': { headers: { Authorization: `${good}x` }, workspace: here } },
    ended: {
      'one that was never issued': byToken(makeSecret('test'), here),
      'an expired one': byToken(expired.token, here),
      'a revoked one': byToken(revoked.token, here),
    },
    elsewhere: { "the other environment's": byToken(live.token, here) },
  };
}

/** A manager, their report, and a colleague whose name, `mark`, must be in nothing that the manager reads. */
export async function openManagersPeople({ database }: TestService, here: number) {
  const mark = 'Zyxwvuts';
  const colleague = { email: 'colleague@example.net' };
  return inWorkspace(database, here, async (tx) => {
    const [manager = 0] = await addMembers(tx, here, [{ email: `manager${here}@example.net`, firstName: 'Mona' }]);
    const report = { email: 'report@example.net', managerId: manager, birthday: '03-13' };
    const named = { ...colleague, firstName: mark, lastName: mark };
    const [reportId = 0, colleagueId = 0] = await addMembers(tx, here, [report, named]);
    return { mark, colleague, report: { email: report.email }, managerId: manager, reportId, colleagueId };
  });
}

type Post = (caller: Caller, path: string, body: unknown) => Promise<Said>;

export function createPosting(ask: Ask): Post {
  return (caller, path, body) =>
    ask(caller, { method: 'POST', path, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });
}

/** What is in the names of records of a workspace. */
export const nameIn = (workspace: number) => `Spare in ${workspace}`;

/** Records of every kind. Those that an operation may end are the latest, so that none of the callers is ended. */
export async function addRecords(service: TestService, post: Post, callers: readonly Caller[]): Promise<void> {
  for (const caller of callers) {
    const name = nameIn(caller.workspace);
    for (const nth of [1, 2, 3])
      await post(caller, '/api/v1/webhooks', { url: `http://127.0.0.1:9/${nth}`, description: name });
    for (const one of ['spare', 'other'])
      await post(caller, '/api/v1/members', { email: `${one}@example.net`, firstName: name });
    await post(caller, '/scim/v2/Groups', { displayName: name });
    for (const nth of [1, 2, 3]) await post(caller, '/api/v1/feed/screens', { name: `${name} ${nth}` });
    const field = { key: `spareIn${caller.workspace}`, label: name, kind: 'CHOICE', choices: ['S', 'M', 'L'] };
    await post(caller, '/api/v1/custom-fields', field);
    await post(caller, '/api/v1/reasons', { description: name });
    await post(caller, '/api/v1/pools', { name, currency: 'CAD' });
    await post(caller, '/api/v1/automations', anAutomation({ name }));
    await askForLine(service, caller.workspace);
    await post(caller, '/api/v1/orders', anOrder({ orderItems: [aGift()] }));
    const [funded] = await service.database.query<{ id: number }>(
      `select id from members where workspace_id = $1 and employee_number = '1007'`,
      [caller.workspace],
    );
    const lot = { currency: 'CAD', amount: 1_000_000 };
    if (funded) await post(caller, '/api/v1/budgets', { ...lot, memberId: funded.id });
    for (const currency of ['CAD', 'NOK']) await post(caller, '/api/v1/budgets', { ...lot, currency, note: name });
    const { workspace } = caller;
    for (const nth of [1, 2, 3])
      await addUser(service, { role: 'AUDITOR', name, email: `spare${nth}.${workspace}@example.net`, workspace });
    for (const _ of [1, 2]) await service.addToken({ workspaces: [workspace], scopes: ['orders:read'], name });
  }
}

/** Adds an occurrence of the latest automation, about which a manager is asked, and returns its id. Without a person: of the latest one. */
export async function askForLine(
  { database }: TestService,
  workspace: number,
  memberId: number | null = null,
  managerId: number | null = null,
): Promise<string> {
  const { id } = await queryOne<{ id: string }>(
    database,
    `insert into occurrences (workspace_id, automation_id, member_id, asked_member_id, for_day, state, due_at, at)
     select $1, (select max(id) from automations where workspace_id = $1), coalesce($2, max(id)), coalesce($3, max(id)),
            '2030-01-01', 'ASKED', now(), now()
       from members where workspace_id = $1 and not is_integration
     returning id::text`,
    [workspace, memberId, managerId],
  );
  return id;
}

/** Orders a gift, and returns the ids of both. */
export async function orderGift({ database }: TestService, post: Post, caller: Caller, recipient: object) {
  const { text } = await post(caller, '/api/v1/orders', anOrder({ orderItems: [aGift({ recipient })] }));
  const { requestId } = JSON.parse(text) as { requestId: string };
  const [gift] = await eventually(
    () =>
      database.query<{ id: string }>('select id::text from certificates where workspace_id = $1 and request_id = $2', [
        caller.workspace,
        requestId,
      ]),
    ({ length }) => length > 0,
  );
  return { orders: requestId, gifts: gift?.id ?? '' };
}

/** Orders a gift that a rule about Swiss francs holds, once every node knows the rule, and returns the id of the order. */
export async function orderHeldGift({ database }: TestService, post: Post, caller: Caller, recipient: object) {
  const order = anOrder({ currency: 'CHF', orderItems: [aGift({ recipient })] });
  return eventually(async () => {
    const { requestId } = JSON.parse((await post(caller, '/api/v1/orders', order)).text) as { requestId: string };
    const held = await database.query('select from held_orders where workspace_id = $1 and request_id = $2', [
      caller.workspace,
      requestId,
    ]);
    return held.length > 0 && requestId;
  });
}

/** Texts that only records of this workspace have: names, addresses, ids of orders. */
export async function readTextsOf({ database }: TestService, workspace: number): Promise<string[]> {
  const rows = await database.query<{ text: string }>(
    `select m.email as text from members m
      where m.workspace_id = $1 and not exists (select from members o where o.workspace_id <> $1 and o.email = m.email)
        and m.email is not null
      union select u.email from users u join user_roles r on r.user_id = u.id where r.workspace_id = $1
      union select request_id::text from order_requests where workspace_id = $1`,
    [workspace],
  );
  return [nameIn(workspace), ...rows.map(({ text }) => text)];
}
