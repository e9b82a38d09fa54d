import assert from 'node:assert/strict';
import { test } from 'node:test';
import { removeOldKeys } from '../../src/company/access/request-keys.ts';
import { whileBusy } from '../support/eventually.ts';
import { operationsOf, readDocument } from '../support/openapi.ts';
import { type Call, startService } from '../support/service.ts';
import { refusal } from '../support/workspace.ts';

const service = await startService();
const { workspaceId, database } = service;
const document = await readDocument();

/** POSTs without an Idempotency-Key, and why. */
const withoutKey: Record<string, string> = {
  validateOrder: 'changes nothing',
  planAutomation: 'changes nothing',
  previewGift: 'changes nothing',
  checkGift: 'changes nothing',
  readMyGiftCode: 'changes nothing',
  previewMySpending: 'changes nothing',
  checkPostGift: 'changes nothing',
  readMyCard: 'changes nothing',
  startLedgerVerification: 'one at a time: the same request once more gets the one that waits or runs',
  changeMyPassword: 'the same password twice is one password, and its body is never stored in any form',
  scimCreateUser: 'a userName is unique: the same request once more gets 409',
  scimCreateGroup: 'a displayName is unique: the same request once more gets 409',
  scimSearchAll: 'changes nothing',
  scimSearchUsers: 'changes nothing',
  scimSearchGroups: 'changes nothing',
};

test('every POST that creates or changes something takes an Idempotency-Key', () => {
  const posts = [...operationsOf(document).values()].filter(({ method }) => method === 'POST');
  const without = posts.filter(({ parameters }) => !parameters.some(({ name }) => name === 'Idempotency-Key'));
  assert.deepEqual(without.map(({ operationId }) => operationId).sort(), Object.keys(withoutKey).sort());
});

const headers = (key: string) => ({ 'Idempotency-Key': key });
const addReason = (key: string, description: string, call: Call = {}) =>
  service.call('/api/v1/reasons', { method: 'POST', headers: headers(key), body: { description }, ...call });
const countReasons = (beginning: string) =>
  database.query('select from reasons where workspace_id = $1 and description like $2', [workspaceId, `${beginning}%`]);

/** Sets the request of a key back to the moment at which its node was killed, some time ago. */
async function forgetAnswer(key: string, isDone: boolean): Promise<void> {
  const set = `response = null, answered_at = null, is_done = $2, created_at = now() - interval '1 hour'`;
  const changed = await database.query(`update request_keys set ${set} where key = $1 returning key`, [key, isDone]);
  assert.equal(changed.length, 1);
}

test('twenty equal requests at the same time create one record, and each gets its response', async () => {
  const all = await Promise.all(Array.from({ length: 20 }, () => whileBusy(() => addReason('at once', 'At once'))));
  const ids = new Set(all.map(({ body }) => body.id));
  assert.deepEqual([...new Set(all.map(({ status }) => status))], [201]);
  assert.equal(ids.size, 1);
  assert.equal(all.filter(({ headers: got }) => got.get('Idempotent-Replayed') !== 'true').length, 1);
  assert.equal((await countReasons('At once')).length, 1);
});

test('a key that was used for another body or another operation gets 422, and nothing happens', async () => {
  await addReason('other', 'Other');
  const otherBody = await addReason('other', 'Another');
  const otherOperation = await service.call('/api/v1/pools', {
    method: 'POST',
    headers: headers('other'),
    body: { name: 'Cards', currency: 'CAD' },
  });
  for (const answer of [otherBody, otherOperation])
    assert.match(refusal(answer, 422), /^This Idempotency-Key was used for another request/);
  assert.equal((await countReasons('Another')).length, 0);
});

test('the fields of a repeated body may come in another order', async () => {
  const send = (body: string) =>
    service.call('/api/v1/reasons', {
      method: 'POST',
      headers: { ...headers('order'), 'Content-Type': 'application/json' },
      body,
    });
  const first = await send('{"description":"Order","isDefault":false}');
  const second = await send('{ "isDefault": false, "description": " Order" }');
  assert.deepEqual([second.status, second.body], [201, first.body]);
});

test('a key belongs to its caller and its workspace', async () => {
  const { token } = await service.addToken({ workspaces: [workspaceId] });
  const first = await addReason('mine', 'Mine');
  const second = await addReason('mine', 'Mine too', { token });
  assert.deepEqual([first.status, second.status], [201, 201]);
  assert.notEqual(first.body.id, second.body.id);
});

test('a request that has failed can be repeated with its key', async () => {
  await addReason('taken 1', 'Taken');
  assert.equal((await addReason('taken 2', 'Taken')).status, 409);
  await database.query(`update reasons set description = 'Free' where description = 'Taken'`);
  const again = await addReason('taken 2', 'Taken');
  assert.deepEqual([again.status, again.headers.get('Idempotent-Replayed')], [201, null]);
});

test('if a node is killed after the change, the repeated request changes nothing and is told so', async () => {
  await addReason('killed', 'Killed');
  await forgetAnswer('killed', true);
  assert.match(refusal(await addReason('killed', 'Killed'), 409), /was carried out, but its response is not kept/);
  assert.equal((await countReasons('Killed')).length, 1);
});

test('a key is committed with the change or not at all', async () => {
  await database.query('alter table request_keys add constraint nothing_done check (not is_done) not valid');
  try {
    assert.equal((await addReason('both', 'Both')).status, 500);
    assert.equal((await countReasons('Both')).length, 0);
  } finally {
    await database.query('alter table request_keys drop constraint nothing_done');
  }
  assert.equal((await addReason('both', 'Both')).status, 201);
});

test('what does not act in one transaction is carried out at most once', async () => {
  const file = { method: 'POST', headers: { 'Content-Type': 'text/csv', ...headers('file') } };
  const send = (body: string) => service.call('/api/v1/members/import', { ...file, body });
  const rows = 'email,firstName\nnia@example.com,Nia\n';
  assert.equal((await send('')).status, 400);
  const first = await send(rows);
  assert.deepEqual([first.status, first.body.added], [200, 1]);
  const second = await send(rows);
  assert.deepEqual([second.body, second.headers.get('Idempotent-Replayed')], [first.body, 'true']);
  assert.equal((await send(`${rows}ben@example.com,Ben\n`)).status, 422);
  await forgetAnswer('file', false);
  assert.match(refusal(await send(rows), 409), /was interrupted, and may have been carried out/);
  await database.query(`update request_keys set created_at = now() where key = 'file'`);
  const underWay = await send(rows);
  assert.match(refusal(underWay, 409), /still being carried out/);
  assert.equal(underWay.headers.get('Retry-After'), '1');
});

test('keys are removed after 30 days', async () => {
  await addReason('old', 'Old');
  await addReason('young', 'Young');
  const setAge = (key: string, days: number) =>
    database.query('update request_keys set created_at = now() - make_interval(days => $2) where key = $1', [
      key,
      days,
    ]);
  await setAge('old', 31);
  await setAge('young', 29);
  assert.equal(await removeOldKeys(database), 1);
  assert.equal(await removeOldKeys(database), 0);
  const left = await database.query<{ key: string }>(`select key from request_keys where key in ('old', 'young')`);
  assert.deepEqual(left, [{ key: 'young' }]);
});
