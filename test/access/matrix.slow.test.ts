import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readActions } from '../../src/company/access/read-traces.ts';
import { type PersonRole, roles, scopesOfRole } from '../../src/company/access/roles.ts';
import { isPersonal, withImplied } from '../../src/company/access/scopes.ts';
import type { RouteEntry } from '../../src/doors/http/route-table.ts';
import { parseNetworks } from '../../src/ground/config/texts.ts';
import { setRule } from '../support/approvals.ts';
import {
  addRecords,
  askForLine,
  type Caller,
  createAsking,
  createPosting,
  openCallers,
  openManagersPeople,
  orderGift,
  orderHeldGift,
  readTextsOf,
  type Said,
} from '../support/callers.ts';
import { withoutExample } from '../support/missing-examples.ts';
import { type Operation, operationsOf, readDocument, resolve } from '../support/openapi.ts';
import {
  type BuiltRequest,
  bodyOf,
  type Changes,
  type Ids,
  type Kind,
  kindOf,
  noIdOf,
  readIds,
  requestOf,
} from '../support/requests.ts';
import { createRoutesOnly } from '../support/routes-only.ts';
import { startService } from '../support/service.ts';

// Every operation of openapi.json, by every kind of caller, about records of their own workspace and of another one. What an operation
// should answer follows from the scope that its route declares.

/** Parts that an example needs beside what the document requires. */
const changesOf: Record<string, (ids: Ids) => Changes> = {
  printGifts: ({ gifts }) => ({ query: { ids: gifts } }),
  replayWebhook: ({ events }) => ({ body: { eventId: events } }),
  runAutomation: () => ({ body: birthdayOfReport() }),
  skipOccurrence: () => ({ body: birthdayOfReport() }),
  unskipOccurrence: () => ({ body: birthdayOfReport() }),
};
const birthdayOfReport = () => ({ memberId: people.reportId, forDay: '2027-03-13' });

/** The fields of bodies and queries that name a record. Others whose names end in Id name none. */
const references: Record<string, Kind> = {
  ...{ reasonId: 'reasons', managerId: 'members', memberId: 'members', into: 'members', member: 'members' },
  ...{ poolId: 'pools', eventId: 'events', requestId: 'orders', gift: 'gifts', ids: 'gifts' },
  ...{ automation: 'automations', automationId: 'automations', budgetId: 'budgets' },
} as const;
const otherIds = ['workspaceId', 'externalId', 'messageId', 'actorId', 'subjectId'];

const here = 1;
const service = await startService({
  demo: true,
  mailServer: 'outbox',
  trustedProxies: parseNetworks('127.0.0.0/8', ''),
});
const { database } = service;
const elsewhere = await service.addWorkspace({ name: 'Elsewhere' });
const document = await readDocument();
const operations = [...operationsOf(document).values()];
const { routeTable } = await createRoutesOnly();

const people = await openManagersPeople(service, here);
const { full, singles, almost, sessions, strangers, strangeEmployee, unknowns } = await openCallers(
  service,
  here,
  elsewhere,
);
const manager = sessions.get('MANAGER') as Caller;
const employee = sessions.get('EMPLOYEE') as Caller;
const everyRole = [...roles, 'EMPLOYEE'] as const;
const ask = createAsking(service);
const post = createPosting(ask);
await addRecords(service, post, [full, strangers[0]]);
const { posts } = await readIds(database, here);
for (const _ of [1, 2, 3]) await post(full, `/api/v1/feed/posts/${posts}/comments`, { text: 'So well deserved.' });
await post(manager, `/api/v1/feed/comments/${(await readIds(database, here)).comments}/report`, {});
for (const workspace of [here, elsewhere])
  for (const name of ['One', 'Two']) await setRule(database, workspace, { name, currency: 'CHF', above: 0 });

/** What a manager may read, and the same of a colleague, by the kind of record. */
const own: Partial<Ids> = {
  members: String(people.reportId),
  ...(await orderGift(service, post, manager, people.report)),
  approvals: await orderHeldGift(service, post, manager, people.report),
  occurrences: await askForLine(service, here, people.reportId, people.managerId),
};
const ofColleague: Partial<Ids> = {
  members: String(people.colleagueId),
  ...(await orderGift(service, post, full, people.colleague)),
  approvals: await orderHeldGift(service, post, full, people.colleague),
  occurrences: await askForLine(service, here, people.colleagueId, people.managerId),
};
await post(full, '/api/v1/shoutouts', { recipient: people.colleague, message: 'Thank you!' });

/** What an employee must not learn of: between other people, in private. */
const secretText = 'Between the two of us';
const secret = await post(full, '/api/v1/feed/posts', {
  to: [{ memberId: people.colleagueId }],
  message: secretText,
  isPrivate: true,
});
assert.equal(secret.status, 201, secret.text);
const secretPost = String(JSON.parse(secret.text).id);
const said = await post(full, `/api/v1/feed/posts/${secretPost}/comments`, { text: `${secretText}, too` });
assert.equal(said.status, 201, said.text);
const ofOthers: Partial<Ids> = {
  posts: secretPost,
  comments: String(JSON.parse(said.text).id),
  gifts: ofColleague.gifts as string,
};

const textsOfHere = await readTextsOf(service, here);

function routeOf({ method, path }: Operation): RouteEntry {
  const url = path.replace(/\{(\w+)\}/g, ':$1');
  const route = routeTable.find((one) => one.method === method && one.url === url);
  assert.ok(route, `${method} ${path} has no route`);
  return route;
}

/** The request for an operation, about the latest records of a workspace or about others. */
async function build(operation: Operation, workspace = here, others: Partial<Ids> = {}): Promise<BuiltRequest> {
  const ids = { ...(await readIds(database, workspace)), ...others };
  return requestOf(document, operation, ids, changesOf[operation.operationId]?.(ids));
}

const withoutRecord = (operation: Operation): Partial<Ids> => {
  const kind = kindOf(operation);
  return kind === null ? {} : { [kind]: noIdOf(kind) };
};

const refusesRight = /lacks the scope|has no right to that workspace|^Managers/;
const messageOf = ({ text }: Said) => {
  const { message, detail } = text.startsWith('{') ? JSON.parse(text) : {};
  return String(message ?? detail ?? '');
};

/** What callers change in a workspace. Work in the background changes none of it, nor do entries about reads, which come a moment later. */
const state = (workspace: number) =>
  database.query(
    `select (select count(*) from order_requests where workspace_id = $1) as orders,
            (select count(*) from audit_log where workspace_id = $1 and action <> all($2::text[])) as audited,
            (select jsonb_agg((user_id, role, member_id) order by user_id) from user_roles where workspace_id = $1) as users,
            (select count(*) from sign_in_links) as links,
            (select count(*) from api_tokens where revoked_at is null) as tokens,
            (select jsonb_agg((id, ordering, secret_version) order by id) from webhooks where workspace_id = $1) as webhooks`,
    [workspace, ['bulk_action.completed', ...readActions]],
  );

function mayUse(role: PersonRole, { access, forManagers, url }: RouteEntry): boolean {
  if (url.startsWith('/scim/')) return false;
  return (
    access === 'self' ||
    (scopesOfRole[role].includes(access as never) && (role !== 'MANAGER' || forManagers || isPersonal(access)))
  );
}

test('every route that asks for a credential is an operation of the document, and so in this file', () => {
  const known = operations.map(routeOf);
  const asking = routeTable.filter(({ access, method }) => access !== 'public' && method !== 'HEAD');
  assert.deepEqual(
    asking.filter((route) => !known.includes(route)).map(({ method, url }) => `${method} ${url}`),
    [],
  );
});

for (const [nth, operation] of operations.entries()) {
  const { method, path, operationId } = operation;
  const route = routeOf(operation);
  const isSelf = route.access === 'self';
  const needsPerson = isSelf || ['readMyGiftCode', 'readMyCard', 'getMyData', 'confirmErasure'].includes(operationId);

  test(`${method} ${path} is refused without the scope ${route.access}, in one way`, async () => {
    const before = await state(here);
    const request = await build(operation);
    const allAlike = async (callers: Iterable<[string, Caller]>, status: number) => {
      const said = new Set<string>();
      for (const [who, caller] of callers) {
        const answer = await ask(caller, request, nth);
        assert.equal(answer.status, status, `${who}: ${answer.text}`);
        said.add(JSON.stringify(answer));
      }
      assert.ok(said.size <= 1, [...said].join('\n'));
    };
    for (const kind of Object.values(unknowns)) await allAlike(Object.entries(kind), 401);
    if (isSelf) return;
    const withScope = (scope: string) => withImplied([scope]).includes(route.access);
    await allAlike(
      [...singles].filter(([scope]) => !withScope(scope)),
      403,
    );
    const roleStatus = path.startsWith('/scim/') ? 401 : 403;
    const refused = everyRole.filter((role) => !mayUse(role, route));
    const named = (role: PersonRole): [string, Caller] => [role, sessions.get(role) as Caller];
    const lackScope = (role: PersonRole) => !scopesOfRole[role].includes(route.access as never);
    await allAlike(refused.filter(lackScope).map(named), roleStatus);
    await allAlike(refused.filter((role) => !lackScope(role)).map(named), roleStatus);
    const caller = almost.get(route.access) as Caller;
    const missing = await ask(caller, await build(operation, here, withoutRecord(operation)), nth);
    assert.deepEqual(missing, await ask(caller, request, nth), 'the same for a record that does not exist');
    if (method === 'GET') assert.equal((await ask(caller, { ...request, method: 'HEAD' }, nth)).status, 403);
    if (!path.startsWith('/scim/'))
      await allAlike(
        [
          ["another workspace's token", { ...strangers[0], workspace: here }],
          ["ours in another's workspace", { ...full, workspace: elsewhere }],
          ['ours in no workspace at all', { ...full, workspace: 999_999_999 }],
        ],
        403,
      );
    assert.deepEqual(await state(here), before);
  });

  const kind = kindOf(operation);
  if (kind !== null)
    test(`${method} ${path} answers for a record of another workspace as for one that does not exist`, async () => {
      const before = await state(here);
      const theirs = (await readIds(database, here))[kind];
      assert.notEqual(theirs, noIdOf(kind), `there is no record of the kind ${kind}`);
      const about = (id: string) => build(operation, elsewhere, { [kind]: id });
      for (const stranger of callersOf(operation, strangers))
        assert.equal(await alike(stranger, kind, theirs, about), needsPerson && !stranger.headers.Cookie ? 403 : 404);
      assert.deepEqual(await state(here), before);
    });

  if (method === 'GET' || path.endsWith('/.search'))
    test(`${method} ${path} shows nothing of another workspace`, async () => {
      const request = await build(operation, elsewhere);
      for (const stranger of callersOf(operation, strangers)) {
        const { status, text } = await ask(stranger, request, nth);
        assert.ok(status < 500, text);
        assert.deepEqual(
          textsOfHere.filter((one) => text.includes(one)),
          [],
        );
      }
    });

  for (const name of referencesOf(operation))
    test(`${method} ${path} answers for ${name} of another workspace as for one that does not exist`, async () => {
      const referred = references[name] as Kind;
      const before = await state(here);
      const theirs = (await readIds(database, here))[referred];
      for (const stranger of callersOf(operation, strangers))
        await alike(stranger, referred, theirs, (id) => withReference(operation, name, id));
      assert.deepEqual(await state(here), before);
    });

  test(`${method} ${path} serves callers with the scope ${route.access}`, async () => {
    // Operations that change a record of their path are served once, and otherwise asked about none.
    const harmless = method === 'GET' ? {} : withoutRecord(operation);
    const allowed = everyRole.filter((role) => mayUse(role, route)).map((role) => sessions.get(role) as Caller);
    const single = singles.get(isSelf ? 'orders:read' : route.access) as Caller;
    for (const caller of [single, ...allowed]) {
      const said = await ask(caller, await build(operation, here, harmless), nth);
      const isLetIn = said.status !== 401 && said.status < 500 && !refusesRight.test(messageOf(said));
      assert.ok(isLetIn, `${said.status} ${said.text.slice(0, 500)}`);
    }
    if (isSelf) return;
    const { status, text } = await ask(full, await build(operation), nth);
    const expected = withoutExample[operationId];
    if (expected !== undefined) assert.equal(status, expected, text);
    else assert.ok((status >= 200 && status < 300) || status === 409, `${status} ${text.slice(0, 500)}`);
  });
}

/** Asks about a record that the caller must not know, and about none. Returns the status, which is the same as all that is said. */
async function alike(
  caller: Caller,
  kind: Kind,
  unseen: string,
  about: (id: string) => Promise<BuiltRequest>,
): Promise<number> {
  const said: Said[] = [];
  const ids = [unseen, noIdOf(kind)];
  // Both in each answer: a record that the caller may see can have the same id, for example the budget of an order.
  const either = new RegExp(`\\b(${ids.join('|')})\\b`, 'g');
  for (const id of ids) {
    const { text, ...rest } = await ask(caller, await about(id));
    said.push({ ...rest, text: text.replace(either, 'id') });
  }
  assert.deepEqual(said[0], said[1]);
  return (said[0] as Said).status;
}

/** No session opens SCIM. */
function callersOf({ path }: Operation, callers: readonly Caller[]): Caller[] {
  return callers.filter(({ headers }) => !path.startsWith('/scim/') || headers.Cookie === undefined);
}

/** The names of the fields in the query and at the top of the body, or of a gift in it, that name a record. */
function referencesOf(operation: Operation): string[] {
  const names = [...queryNames(operation), ...bodyNames(operation)];
  for (const name of names)
    assert.ok(!/[a-z]Id$/.test(name) || name in references || otherIds.includes(name), `what does ${name} name?`);
  return [...new Set(names.filter((name) => name in references))];
}

function queryNames({ parameters }: Operation): string[] {
  return parameters.filter((one) => one.in === 'query').map(({ name }) => name);
}

function bodyNames(operation: Operation): string[] {
  const schema = resolve(document, bodyOf(document, operation)?.schema ?? {});
  const items = resolve(document, resolve(document, schema.properties?.orderItems)?.items ?? {});
  return [...Object.keys(schema.properties ?? {}), ...Object.keys(items.properties ?? {})];
}

async function withReference(operation: Operation, name: string, id: string): Promise<BuiltRequest> {
  const ids = await readIds(database, elsewhere);
  if (queryNames(operation).includes(name)) return requestOf(document, operation, ids, { query: { [name]: id } });
  const { example = {}, schema } = bodyOf(document, operation) ?? { schema: {} };
  const isText = resolve(document, schema).properties?.[name]?.type === 'string' && references[name] === 'members';
  const value = isText ? `id:${id}` : references[name] === 'events' ? id : Number(id);
  const body = example.orderItems
    ? { ...example, orderItems: example.orderItems.map((one: object) => ({ ...one, [name]: value })) }
    : { ...(name === 'eventId' ? {} : example), [name]: value };
  return requestOf(document, operation, ids, { body });
}

for (const operation of operations.filter((one) => routeOf(one).forManagers)) {
  const { method, path } = operation;
  const kind = kindOf(operation);

  test(`${method} ${path} shows a manager nothing about a colleague who is not their report`, async () => {
    if (kind !== null) {
      const [mine, other] = [own[kind], ofColleague[kind]];
      assert.ok(mine && other, `say which record of the kind ${kind} a manager may read`);
      const about = (id: string) => build(operation, here, { [kind]: id });
      assert.equal((await ask(manager, await about(mine))).status, 200);
      assert.equal(await alike(manager, kind, other, about), 404);
      const changingNothing = async (id: string) => ({ ...(await about(id)), body: '{}' });
      if (method === 'PATCH') assert.equal(await alike(manager, kind, other, changingNothing), 404);
    }
    const { mark, colleague, colleagueId } = people;
    const ids = { ...(await readIds(database, here)), ...own };
    const id = String(colleagueId);
    const sought: Record<string, string> = { search: mark, member: id, manager: id, size: '200' };
    const example = bodyOf(document, operation)?.example;
    const changes: Changes[] = [
      {},
      ...queryNames(operation).flatMap((name) => (sought[name] ? [{ query: { [name]: sought[name] } }] : [])),
      ...(example ? [{ body: withRecipient(example, colleague) }] : []),
    ];
    for (const change of changes) {
      const { status, text } = await ask(manager, requestOf(document, operation, ids, change));
      assert.ok(status < 500 && !text.includes(mark), `${JSON.stringify(change)}: ${status} ${text.slice(0, 1_000)}`);
    }
  });
}

function withRecipient(example: object, recipient: object): unknown {
  return JSON.parse(JSON.stringify(example), (key, value) => (key === 'recipient' ? recipient : value));
}

for (const operation of operations) {
  const { method, path, operationId } = operation;
  const route = routeOf(operation);
  const kind = kindOf(operation);
  const isSelf = route.access === 'self';
  if (!mayUse('EMPLOYEE', route)) continue;

  test(`${method} ${path} shows an employee nothing of colleagues and of another workspace`, async () => {
    if (kind !== null) {
      const before = await state(here);
      const other = ofOthers[kind];
      if (other) {
        const status = await alike(employee, kind, other, (id) => build(operation, here, { [kind]: id }));
        assert.equal(status, 404, operationId);
      }
      const theirs = (await readIds(database, here))[kind];
      const foreign = await alike(strangeEmployee, kind, theirs, (id) => build(operation, elsewhere, { [kind]: id }));
      // Sessions and passwords are those of users.
      assert.equal(foreign, isSelf ? 403 : 404, operationId);
      assert.deepEqual(await state(here), before);
    }
    if (method !== 'GET') return;
    const request = await build(operation, here, kind === null ? {} : { [kind]: ofOthers[kind] ?? noIdOf(kind) });
    const { status, text } = await ask(employee, request);
    assert.ok(status < 500 && !text.includes(secretText), text.slice(0, 500));
    const strange = await ask(strangeEmployee, await build(operation, elsewhere));
    assert.deepEqual(
      textsOfHere.filter((one) => strange.text.includes(one)),
      [],
    );
  });
}
