import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setBudget } from '../support/budgets.ts';
import { eventually } from '../support/eventually.ts';
import { operationsOf, readDocument, resolve } from '../support/openapi.ts';
import { aGift, anOrder } from '../support/orders.ts';
import { claim, offerSpendingOption, spend } from '../support/redemptions.ts';
import { readIds, requestOf } from '../support/requests.ts';
import { startService } from '../support/service.ts';

// Who reads addresses and numbers of many people is in the audit log, as who downloads a file.

const tokenKey = 'k'.repeat(32);
const service = await startService({ demo: true, mailServer: 'outbox', tokenKey });
const { database } = service;
const here = 1;
const document = await readDocument();

/** Where an address or a number of a person is, by the names of fields. */
const identifying = /^(email|employeeNumber|address|to|userName|phone|emails)$/;

/** Operations that list such fields of people whom the caller has not named, and why the others leave no entry. */
const exceptions: Readonly<Record<string, string>> = {
  validateOrder: 'people whom the caller has named',
  importMembers: 'people of the file that the caller has sent',
  listBulkActions: '`to` is a time',
  getSeries: '`to` is a day',
  scimGetUser: 'the addresses of one person',
  scimCreateUser: 'the addresses of one person',
  scimReplaceUser: 'the addresses of one person',
  scimChangeUser: 'the addresses of one person',
};

// biome-ignore lint/suspicious/noExplicitAny: schemas of every form are read here.
type Schema = any;

function listsPeople(schema: Schema, isInList = false, above: readonly string[] = []): boolean {
  if (!schema || above.includes(schema.$ref)) return false;
  const inside = schema.$ref ? [...above, schema.$ref] : above;
  const { items, properties = {}, anyOf = [], oneOf = [], allOf = [] } = resolve(document, schema) as Schema;
  if (items && listsPeople(items, true, inside)) return true;
  if ([...anyOf, ...oneOf, ...allOf].some((one) => listsPeople(one, isInList, inside))) return true;
  return Object.entries(properties).some(
    ([name, one]) => (isInList && identifying.test(name)) || listsPeople(one, isInList, inside),
  );
}

/** The JSON of a response that succeeds. */
function jsonOf(operation: Schema): Schema {
  const [, response] = Object.entries<Schema>(operation.responses ?? {}).find(([status]) => /^2/.test(status)) ?? [];
  const content = response?.content ?? {};
  return (content['application/json'] ?? content['application/scim+json'])?.schema;
}

const lists = [...operationsOf(document).values()].filter((one) => listsPeople(jsonOf(one)));

const entriesOf = (id: number) =>
  database.query<{ subject: string; people: number; reads: number }>(
    `select subject_id as subject, (detail ->> 'people')::int as people, (detail ->> 'reads')::int as reads
       from audit_log where workspace_id = $1 and actor_id = $2 and action = 'people.listed'`,
    [here, id],
  );

/** So that no list is empty: two people wait for their salary, two have budgets, and two shoutouts wait. */
async function fill(): Promise<{ orders: string; members: string }> {
  const people = await database.query<{ id: number; email: string }>(
    `select id, email from members
      where workspace_id = $1 and email is not null and merged_into is null and left_at is null and not is_integration order by id limit 2`,
    [here],
  );
  await offerSpendingOption(database, here, 'payroll', { kind: 'PAYROLL', name: 'With the salary' });
  const { token } = await service.addToken({ workspaces: [here] });
  const order = anOrder({ currency: 'CAD', orderItems: people.map(({ email }) => aGift({ recipient: { email } })) });
  const sent = { method: 'POST', body: order, token, workspace: here };
  const { requestId } = (await service.call<{ requestId: string }>('/api/v1/orders', sent)).body;
  const gifts = await eventually(
    () =>
      database.query<{ id: number }>('select id from certificates where workspace_id = $1 and request_id = $2', [
        here,
        requestId,
      ]),
    ({ length }) => length === 2,
  );
  for (const { id } of gifts) {
    await claim(database, here, id);
    await spend(database, here, id, 'payroll');
  }
  for (const { id } of people) await setBudget(database, here, { currency: 'CAD', memberId: id });
  return { orders: requestId, members: String(people[0]?.id) };
}

test('who reads a list of people with their addresses or numbers is in the audit log', async () => {
  const filled = await fill();
  const ids = { ...(await readIds(database, here)), ...filled };
  assert.ok(lists.length > 25, 'the document has the lists');
  const node = await startService({ role: 'api', mailServer: 'outbox', database, tokenKey });
  const readers = new Map<string, number>();
  for (const { operationId, ...operation } of lists) {
    if (exceptions[operationId]) continue;
    const { path, method, headers } = requestOf(document, { operationId, ...operation }, ids, {
      query: queryOf(operationId),
    });
    const { id, token } = await service.addToken({ workspaces: [here] });
    const sent = method === 'POST' ? { body: { schemas: [search] } } : {};
    const { status, body } = await node.call(path, { ...sent, method, headers, token, workspace: here });
    assert.equal(status, 200, `${operationId}: ${JSON.stringify(body)}`);
    readers.set(operationId, id);
  }
  await node.stop();
  const untraced: string[] = [];
  for (const [operationId, id] of readers) {
    const [entry, ...others] = await entriesOf(id);
    if (!entry || entry.people < 2 || others.length > 0) untraced.push(operationId);
  }
  assert.deepEqual(untraced, []);
});

const search = 'urn:ietf:params:scim:api:messages:2.0:SearchRequest';

function queryOf(operationId: string): Record<string, string> {
  if (operationId.startsWith('getTax')) return { year: String(new Date().getFullYear()) };
  return operationId === 'suggestMembers' ? { search: 'a' } : {};
}

test('a caller who reads page after page leaves one entry with the sum', async () => {
  const node = await startService({ role: 'api', database, tokenKey });
  const { id, token } = await node.addToken({ workspaces: [here] });
  for (const page of [0, 1, 2, 3]) await node.call(`/api/v1/members?size=5&page=${page}`, { token, workspace: here });
  const { status, body } = await node.call('/scim/v2/Users?count=7', { token, workspace: here });
  assert.equal(status, 200, JSON.stringify(body));
  await node.stop();
  assert.deepEqual(await entriesOf(id), [{ subject: 'people', people: 27, reads: 5 }]);
});

test('one person, names without addresses and a request without a response are no list', async () => {
  const node = await startService({ role: 'api', database, tokenKey });
  const { id, token } = await service.addToken({ workspaces: [here] });
  const get = (path: string, method = 'GET') => node.call(path, { token, workspace: here, method });
  await get('/api/v1/members?size=1');
  await get('/api/v1/members', 'HEAD');
  await get('/scim/v2/Users?attributes=displayName');
  await get('/scim/v2/Groups');
  await node.stop();
  assert.deepEqual(await entriesOf(id), []);
});
