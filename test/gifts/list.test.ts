import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inWorkspace } from '../../src/company/workspaces/lock.ts';
import { moveGifts } from '../../src/giving/gifts/moves.ts';
import { findGift } from '../../src/giving/gifts/repairs.ts';
import { giftsOf, openGifts } from '../support/gifts.ts';
import { refusal } from '../support/workspace.ts';

const gifts = await openGifts();
const { service, workspace, issue, gift, list, repaired } = gifts;
const { database } = service;

test('a gift is shown with its people, dates and state, and never with a token', async () => {
  const [id] = (await issue({ email: 'ada@example.com', firstName: 'Ada', employeeNumber: '7' })) as [number];
  const { timeline, reminderAt, ...shown } = await gift(id);
  assert.deepEqual([shown, reminderAt], [(await list()).gifts[0], null]);
  assert.partialDeepStrictEqual(shown, {
    id,
    state: 'ISSUED',
    delivery: 'NONE',
    edition: 0,
    address: 'ada@example.com',
    recipient: { firstName: 'Ada', lastName: '', email: 'ada@example.com', employeeNumber: '7' },
    senderName: 'Payroll',
    expiresAt: null,
    claimedAt: null,
    thanks: null,
  });
  assert.deepEqual(timeline, [{ type: 'ISSUED', at: shown.issuedAt, detail: {} }]);
  assert.doesNotMatch(JSON.stringify(await gift(id)), /token/i);
});

test('the timeline has everything that happened, in its sequence, with what the mail server answered', async () => {
  const [id] = (await issue({ email: 'ada@example.com' })) as [number];
  const deferred = { answer: '451 4.7.1 Greylisted', attempts: 1 };
  const sent = { answer: '250 2.0.0 OK' };
  await inWorkspace(database, workspace.id, async (tx) => {
    const found = await findGift(tx, workspace.id, id);
    await moveGifts(tx, workspace.id, [{ type: 'DEFERRED', gift: found, detail: deferred }]);
    await moveGifts(tx, workspace.id, [{ type: 'SENT', gift: found, detail: sent }]);
    await moveGifts(tx, workspace.id, [{ type: 'CLAIMED', gift: found }]);
    await moveGifts(tx, workspace.id, [{ type: 'THANKED', gift: found, detail: { thanks: 'Lovely!' } }]);
  });
  const { timeline, thanks, state } = await gift(id);
  assert.deepEqual([thanks, state], ['Lovely!', 'CLAIMED']);
  assert.deepEqual(
    timeline.map(({ type, detail }) => [type, detail]),
    [
      ['ISSUED', {}],
      ['DEFERRED', deferred],
      ['SENT', sent],
      ['CLAIMED', {}],
      ['THANKED', {}],
    ],
  );
});

test('a day begins and ends where the workspace is', async () => {
  const there = await giftsOf(service);
  await there.issue({ email: 'ada@example.com' });
  const [only] = (await there.list()).gifts;
  const orderedAt = new Date(only?.orderedAt as string);
  for (const zone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago', 'UTC']) {
    await database.query('update workspaces set time_zone = $2 where id = $1', [there.workspace.id, zone]);
    const dayAt = (days: number) =>
      new Intl.DateTimeFormat('sv', { timeZone: zone }).format(new Date(orderedAt.getTime() + days * 86_400_000));
    const count = async (query: string) => (await there.list(query)).gifts.length;
    assert.equal(await count(`?from=${dayAt(0)}&to=${dayAt(0)}`), 1, zone);
    assert.equal(await count(`?from=${dayAt(1)}`), 0, zone);
    assert.equal(await count(`?to=${dayAt(-1)}`), 0, zone);
  }
});

test('gifts of a merged record are listed for the record that stays, by either id', async () => {
  const [, second] = await issue({ email: 'one@example.com' }, { email: 'two@example.com' });
  const [from, into] = (await list('?size=2')).gifts.map(({ recipient }) => recipient.id) as [number, number];
  await workspace.merge(from, into);
  for (const member of [from, into]) {
    const found = (await list(`?member=${member}`)).gifts;
    assert.deepEqual(new Set(found.map(({ recipient }) => recipient.id)), new Set([into]));
    assert.ok(found.some(({ id }) => id === second));
  }
});

test('gifts that end soon are listed, however long ago they were ordered', async () => {
  const [soon, later, never] = await issue(
    { email: 'a@example.com' },
    { email: 'b@example.com' },
    { email: 'c@example.com' },
  );
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);
  await database.query('update certificates set expires_at = $2 where id = $1', [soon, inDays(3)]);
  await database.query('update certificates set expires_at = $2 where id = $1', [later, inDays(40)]);
  const before = async (days: number, state = '&state=ISSUED') =>
    (await list(`?expiresBefore=${inDays(days).toISOString()}${state}`)).gifts.map(({ id }) => id);
  assert.deepEqual(await before(7), [soon]);
  assert.deepEqual(await before(7, ''), [soon]);
  assert.deepEqual(await before(50), [later, soon]);
  assert.ok(!(await before(50)).includes(never as number));
  assert.deepEqual(await before(2), []);
});

test('a parameter that is unknown or wrong is refused by its name', async () => {
  for (const [query, says] of [
    ['?stat=ISSUED', /stat is not a parameter of this list/],
    ['?state=issued', /state must be one of ISSUED, /],
    ['?delivery=LOST', /delivery must be one of NONE, /],
    ['?member=ada', /member must be a whole number/],
    ['?requestId=7', /requestId must be a UUID/],
    ['?from=yesterday', /from must be a date, for example 2026-12-24, or a date and a time with a zone/],
    ['?to=2026-02-30', /to must be a date/],
    ['?from=0000-01-01', /from must be a date/],
    ['?from=2026-11-02T10:00:00', /from must be a date/],
    ['?size=0', /size must be from 1 to 1000/],
    ['?after=999999999', /after is no gift of this workspace/],
  ] as const)
    assert.match(refusal(await workspace.call(`/api/v1/gifts${query}`), 400), says, query);
  for (const query of ['?from=0001-01-01&to=9999-12-31', '?from=1969-12-31T00:00:00Z', '?member=999999999'])
    assert.equal((await workspace.call(`/api/v1/gifts${query}`)).status, 200, query);
});

test('the gifts of another workspace are in no list, and not found', async () => {
  const [id] = (await issue({ email: 'ada@example.com' })) as [number];
  await repaired(id, 'resend');
  const elsewhere = await giftsOf(service);
  assert.deepEqual((await elsewhere.list()).gifts, []);
  const { requestId } = await gift(id);
  assert.deepEqual((await elsewhere.list(`?requestId=${requestId}`)).gifts, []);
  refusal(await elsewhere.workspace.call(`/api/v1/gifts/${id}`), 404);
  refusal(await elsewhere.workspace.call(`/api/v1/gifts?after=${id}`), 400);
});
