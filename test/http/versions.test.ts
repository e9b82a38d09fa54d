import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aRule } from '../support/approvals.ts';
import { anAutomation } from '../support/automations.ts';
import { askForLine } from '../support/callers.ts';
import { operationsOf, readDocument } from '../support/openapi.ts';
import { aCode, createPools } from '../support/pools.ts';
import { startService } from '../support/service.ts';
import { openWorkspace, refusal } from '../support/workspace.ts';

/** Changes are made to numbers between 400 and 500. */
const numbers = Array.from({ length: 18 }, (_, nth) => 401 + nth);
const service = await startService();
const workspace = await openWorkspace(service, {
  people: [
    { email: 'ada@example.com', department: 'Sales' },
    ...numbers.map((number) => ({ email: `${number}@example.com` })),
  ],
});
const [ada = 0, ...others] = workspace.memberIds;
const made = async (path: string, body: object): Promise<string> => {
  const { status, body: record } = await workspace.call(`/api/v1/${path}`, { method: 'POST', body });
  assert.equal(status, 201, JSON.stringify(record));
  return `${path}/${record.key ?? record.id}`;
};
const idOf = (path: string) => Number(path.split('/')[1]);
const rule = await made('rules', aRule());
const automation = await made('automations', anAutomation());
const occurrence = `automations/occurrences/${await askForLine(service, workspace.id, ada, ada)}`;
const field = await made('custom-fields', { key: 'desk', label: 'Desk', kind: 'TEXT' });
const allowance = { amount: 10, every: 'MONTH' };
const budget = await made('budgets', { currency: 'CAD', amount: 5_000, allowance });
const shared = await made('budgets', { currency: 'CAD', department: 'Sales', lapses: 'MONTH' });
const pool = await made('pools', { name: 'Bookshops', currency: 'CAD' });
const reason = await made('reasons', { description: 'Mentoring' });
const webhook = await made('webhooks', { url: 'https://93.184.215.14/hooks', types: ['order.failed'] });
const user = await made('users', { email: 'ida@example.com', name: 'Ida', role: 'AUDITOR', member: 'ada@example.com' });

interface Edited {
  /** The operation that changes it. */
  id: string;
  /** Where it is changed, and read if `read` names no other place. */
  path: string;
  read?: string;
  to: (number: number) => object;
  /** What a response has after a change to a number; the number if absent. */
  shows?: (number: number) => string;
}

const memberOf = (number: number) => others[numbers.indexOf(number)];
const edited: Edited[] = [
  { id: 'changeSettings', path: 'settings', to: (number) => ({ brandName: `Name ${number}` }) },
  { id: 'changeEmployeeSettings', path: 'settings/employees', to: (number) => ({ leaverDays: number }) },
  {
    id: 'changeRetention',
    path: 'settings/retention',
    to: (number) => ({ changes: [{ kind: 'emails', days: number }] }),
  },
  { id: 'changeMember', path: `members/${ada}`, to: (number) => ({ location: `Floor ${number}` }) },
  { id: 'changeCustomField', path: field, to: (number) => ({ label: `Desk ${number}` }) },
  {
    id: 'setSpendingOption',
    path: 'spending-options/payroll',
    read: 'spending-options',
    to: (number) => ({ kind: 'PAYROLL', name: `Payroll ${number}` }),
  },
  { id: 'changeRule', path: rule, to: (number) => ({ above: number }) },
  { id: 'changeOccurrence', path: occurrence, to: (number) => ({ line: `Thank you ${number} times` }) },
  { id: 'changeAutomation', path: automation, to: (number) => ({ name: `Birthdays ${number}` }) },
  { id: 'changeBudget', path: budget, to: (number) => ({ giftLimit: number }) },
  { id: 'changeBudget', path: shared, to: (number) => ({ personCap: number }) },
  { id: 'changePool', path: pool, to: (number) => ({ lowAt: number }) },
  { id: 'changeReason', path: reason, read: 'reasons', to: (number) => ({ description: `Mentoring ${number}` }) },
  { id: 'changeWebhook', path: webhook, to: (number) => ({ description: `Payroll ${number}` }) },
  {
    id: 'changeUser',
    path: user,
    to: (number) => ({ member: `${number}@example.com` }),
    shows: (number) => `"memberId":${memberOf(number)},`,
  },
];

/** Operations that take no If-Match, because no change is lost that a second person made. */
const withoutVersion: Record<string, string> = {
  setLogo: 'sends a whole picture, and no field with it',
  placeHold: 'a decision with its reason, which no form shows to edit',
  restrictMember: 'a decision with its reason, which no form shows to edit',
  changePost: 'the sender alone',
  changeComment: 'the author alone',
  addReaction: "the caller's own",
  nameDeputy: "the caller's own",
  changeMe: "the caller's own",
  changeMyPreferences: "the caller's own, of which only what is changed is sent",
};

const operations = operationsOf(await readDocument());
const read = (path: string) => workspace.call(`/api/v1/${path}`);
const versionOf = async (path: string) => (await read(path)).headers.get('ETag') as string;
const change = ({ id, path }: Pick<Edited, 'id' | 'path'>, body: object, version?: string) =>
  workspace.call(`/api/v1/${path}`, {
    method: operations.get(id)?.method as string,
    body,
    headers: version === undefined ? {} : { 'If-Match': version },
  });

test('every PATCH and PUT takes If-Match and is tried here, unless no change of others can be lost', () => {
  const changes = [...operations.values()].filter(({ method }) => method === 'PATCH' || method === 'PUT');
  const takes = ({ parameters }: (typeof changes)[number]) => parameters.some(({ name }) => name === 'If-Match');
  const ids = (found: typeof changes) => found.map(({ operationId }) => operationId).sort();
  assert.deepEqual(ids(changes.filter((one) => !takes(one))), Object.keys(withoutVersion).sort());
  // Those of SCIM are tried in test/scim/protocol.test.ts.
  const versioned = changes.filter((one) => takes(one) && one.path.startsWith('/api/v1/'));
  assert.deepEqual(ids(versioned), [...new Set(edited.map(({ id }) => id))].sort());
  for (const { operationId, responses } of versioned) assert.ok(responses['200'].headers.ETag, operationId);
});

for (const one of edited) {
  const { id, path, read: place = path, to, shows = String } = one;
  test(`${id} ${path}: a change of another version than was read gets 412 and changes nothing`, async () => {
    const version = await versionOf(place);
    assert.match(version, /^W\/"[\w-]{22}"$/);
    assert.equal(await versionOf(place), version, 'the version of what did not change is the same');
    const first = await change(one, to(401), version);
    assert.equal(first.status, 200, JSON.stringify(first.body));
    const late = await change(one, to(402), version);
    assert.match(refusal(late, 412), /has changed since you read it: read it again/);
    const now = await read(place);
    assert.ok(JSON.stringify(now.body).includes(shows(401)), JSON.stringify(now.body));
    assert.equal(now.headers.get('ETag'), first.headers.get('ETag'), 'a change answers with the version that it made');
    assert.equal((await change(one, to(402), first.headers.get('ETag') as string)).status, 200);
  });

  test(`${id} ${path}: of many changes of one version at once, one succeeds`, async () => {
    await change(one, to(402));
    const version = await versionOf(place);
    const changes = Array.from({ length: 8 }, (_, nth) => change(one, to(410 + nth), version));
    const statuses = (await Promise.all(changes)).map(({ status }) => status);
    assert.deepEqual(statuses.toSorted(), [200, ...Array(7).fill(412)]);
  });
}

const post = async (path: string, body?: object) => {
  const { status } = await workspace.call(`/api/v1/${path}`, { method: 'POST', ...(body && { body }) });
  assert.ok(status < 300, `${path}: ${status}`);
};

/** What happens without an edit, or through another operation, and what a read of it shows after that. */
const moved: { what: string; path: string; happens: () => Promise<unknown>; shows: RegExp }[] = [
  {
    what: 'a recognition of a member',
    path: `members/${ada}`,
    happens: () => workspace.gift({ email: 'ada@example.com' }),
    shows: /"recognitions":[1-9]/,
  },
  {
    what: 'a grant to a budget',
    path: budget,
    happens: () => post(`${budget}/grants`, { amount: 77.5 }),
    shows: /"available":\d+\.5/,
  },
  {
    what: 'the next day of an allowance',
    path: budget,
    happens: () =>
      service.database.query(
        `update budgets set next_allowance_at = '2199-01-01' where workspace_id = $1 and id = $2`,
        [workspace.id, idOf(budget)],
      ),
    shows: /"nextAt":"2199/,
  },
  {
    what: 'new codes in a pool',
    path: pool,
    happens: () => createPools(workspace.call).fill(idOf(pool), aCode()),
    shows: /"left":1/,
  },
  {
    what: 'turning a webhook off',
    path: webhook,
    happens: () => post(`${webhook}/disable`),
    shows: /"enabled":false/,
  },
  {
    what: 'a sign-in of a user',
    path: user,
    happens: () => service.database.query(`update users set signed_in_at = '2026-11-02' where id = $1`, [idOf(user)]),
    shows: /"signedInAt":"2026-11-02/,
  },
  {
    what: 'a removal by retention',
    path: 'settings/retention',
    happens: () =>
      service.database.query(
        `insert into retention_runs (workspace_id, kind, next_at, removed) values ($1, 'emails', now(), 7)
             on conflict (workspace_id, kind) do update set removed = 7`,
        [workspace.id],
      ),
    shows: /"removed":7/,
  },
];

for (const { what, path, happens, shows } of moved)
  test(`${what} does not change the version of ${path}`, async () => {
    const version = await versionOf(path);
    await happens();
    const now = await read(path);
    assert.match(JSON.stringify(now.body), shows);
    assert.equal(now.headers.get('ETag'), version);
  });

test('without If-Match, and with an asterisk, the last change wins', async () => {
  const settings = { id: 'changeSettings', path: 'settings' };
  for (const version of [undefined, '*'])
    assert.equal((await change(settings, { brandName: `By ${version}` }, version)).status, 200);
  const weakened = (await versionOf('settings')).replace('W/', '');
  assert.equal((await change(settings, { brandName: 'Any' }, `"x", ${weakened}`)).status, 200);
});
