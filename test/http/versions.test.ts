import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startService } from '../support/service.ts';
import { openWorkspace, refusal } from '../support/workspace.ts';

const service = await startService();
const workspace = await openWorkspace(service, { people: [{ email: 'ada@example.com', department: 'Sales' }] });
const [ada = 0] = workspace.memberIds;

/** What people edit: where it is read, where it is changed, and two changes of it. */
const option = (name: string) => ({ kind: 'PAYROLL', name });
const edited = [
  { read: 'settings', change: 'settings', method: 'PATCH', one: { brandName: 'One' }, two: { brandName: 'Two' } },
  {
    read: `members/${ada}`,
    change: `members/${ada}`,
    method: 'PATCH',
    one: { department: 'One' },
    two: { department: 'Two' },
  },
  {
    read: 'spending-options',
    change: 'spending-options/payroll',
    method: 'PUT',
    one: option('One'),
    two: option('Two'),
  },
];

const read = (path: string) => workspace.call(`/api/v1/${path}`);
const versionOf = async (path: string) => (await read(path)).headers.get('ETag') as string;
const change = (path: string, method: string, body: object, version?: string) =>
  workspace.call(`/api/v1/${path}`, { method, body, headers: version === undefined ? {} : { 'If-Match': version } });

for (const { read: path, change: target, method, one, two } of edited)
  test(`${method} ${target}: a change of another version than was read gets 412 and changes nothing`, async () => {
    const version = await versionOf(path);
    assert.match(version, /^W\/"[\w-]{22}"$/);
    assert.equal(await versionOf(path), version, 'the version of what did not change is the same');
    const first = await change(target, method, one, version);
    assert.equal(first.status, 200);
    const late = await change(target, method, two, version);
    assert.match(refusal(late, 412), /has changed since you read it: read it again/);
    const now = await read(path);
    assert.ok(JSON.stringify(now.body).includes('"One"'));
    assert.equal(now.headers.get('ETag'), first.headers.get('ETag'), 'a change answers with the version that it made');
    assert.equal((await change(target, method, two, first.headers.get('ETag') as string)).status, 200);
  });

for (const { read: path, change: target, method, one, two } of edited)
  test(`${method} ${target}: of many changes of one version at once, one succeeds`, async () => {
    await change(target, method, two);
    const version = await versionOf(path);
    const changes = Array.from({ length: 8 }, (_, nth) =>
      change(target, method, nth % 2 === 0 ? one : { ...one, ...named(nth, one) }, version),
    );
    const statuses = (await Promise.all(changes)).map(({ status }) => status);
    assert.deepEqual(statuses.toSorted(), [200, ...Array(7).fill(412)]);
  });

/** Each change is another one. */
function named(nth: number, body: object): object {
  return Object.fromEntries(Object.entries(body).map(([key, value]) => [key, key === 'kind' ? value : `One ${nth}`]));
}

test('without If-Match, and with an asterisk, the last change wins', async () => {
  for (const version of [undefined, '*'])
    assert.equal((await change('settings', 'PATCH', { brandName: `By ${version}` }, version)).status, 200);
  const weakened = (await versionOf('settings')).replace('W/', '');
  assert.equal((await change('settings', 'PATCH', { brandName: 'Any' }, `"x", ${weakened}`)).status, 200);
});

test('a recognition does not change the version of a member', async () => {
  const version = await versionOf(`members/${ada}`);
  await workspace.gift({ email: 'ada@example.com' });
  assert.equal((await read(`members/${ada}`)).body.recognitions, 1);
  assert.equal(await versionOf(`members/${ada}`), version);
});
