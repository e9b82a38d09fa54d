import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openGifts } from '../support/gifts.ts';
import { refusal } from '../support/workspace.ts';

const { workspace, issue, list, repaired } = await openGifts();
const grace = { email: 'grace.okafor@example.com', firstName: 'Grace', lastName: 'Okafor' };
const [first = 0, second = 0] = await issue(grace, {
  email: 'li@example.com',
  firstName: 'Li',
  employeeNumber: 'E-77',
});
const idsOf = async (query: string) => (await list(query)).gifts.map(({ id }) => id);
const csv = (query = '') => workspace.call<string>(`/api/v1/gifts${query}`, { headers: { Accept: 'text/csv' } });

test("a search finds gifts by words of the recipient's name, address and number", async () => {
  assert.deepEqual(await idsOf('?search=oka+GRACE'), [first]);
  assert.deepEqual(await idsOf('?search=e-77'), [second]);
  assert.deepEqual(await idsOf('?search=example.com'), [second, first]);
  assert.deepEqual(await idsOf('?search=nobody'), []);
  assert.deepEqual(await idsOf('?search=100%25'), [], 'special characters of a pattern mean themselves');
});

test('a search combines with the other filters, and finds gifts of merged records', async () => {
  const [third = 0] = await issue({ employeeNumber: 'old-1' });
  const [from, into] = [third, first].map((id) => id);
  const { gifts } = await list('?size=100');
  const memberOf = (id: number | undefined) => gifts.find((gift) => gift.id === id)?.recipient.id as number;
  await workspace.merge(memberOf(from), memberOf(into));
  assert.deepEqual(await idsOf('?search=grace'), [third, first]);
  await repaired(third, 'cancel');
  assert.deepEqual(await idsOf('?search=grace&state=CANCELLED'), [third]);
  assert.deepEqual(await idsOf(`?search=li&member=${memberOf(first)}`), []);
  assert.deepEqual(await idsOf(`?search=grace&member=${memberOf(first)}`), [third, first]);
});

test('a search that finds very many people looks at the gifts one by one', async () => {
  const crowd = Array.from({ length: 501 }, (_, n) => ({ email: `crowd.${n}@example.org` }));
  await workspace.addPeople(crowd);
  const [inCrowd = 0] = await issue({ email: 'crowd.400@example.org' });
  assert.deepEqual(await idsOf('?search=crowd'), [inCrowd]);
});

test('all gifts that fit are a CSV file, without tokens', async () => {
  const { status, headers, body } = await csv('?search=grace&size=1');
  assert.equal(status, 200);
  assert.match(headers.get('content-disposition') ?? '', /filename="gifts\.csv"/);
  const [header, ...rows] = body.trimEnd().split('\n');
  assert.match(header ?? '', /^id,state,delivery,recipientId,firstName/);
  assert.equal(rows.length, 2, 'page and size are ignored');
  assert.match(rows[1] ?? '', new RegExp(`^${first},ISSUED,NONE,\\d+,Grace,Okafor,`));
  assert.doesNotMatch(body, /token/i);
  assert.ok((await csv('?bom=true')).body.length > body.length);
  assert.match(refusal(await workspace.call('/api/v1/gifts', { headers: { Accept: 'text/html' } }), 406), /CSV/);
});
