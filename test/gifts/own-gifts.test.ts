import assert from 'node:assert/strict';
import { test } from 'node:test';
import { claimCode } from '../../src/giving/gifts/codes.ts';
import type { MyClaimResult, MyGift } from '../../src/ground/contract/my-gift.ts';
import { keys, tokenKey } from '../support/gift-page.ts';
import { openRecipients } from '../support/own-gifts.ts';
import { readGift } from '../support/redemptions.ts';
import { startService } from '../support/service.ts';
import { refusal } from '../support/workspace.ts';

const service = await startService({ tokenKey, mailServer: 'outbox' });
const { database } = service;

test('a sealed gift does not say what it is before it is opened', async () => {
  const { ada, issue } = await openRecipients(service);
  const [id = 0] = await issue([25]);
  const { totals, counts, gifts } = await ada.gifts();
  assert.deepEqual([totals, counts], [[], { sealed: 1, open: 0, past: 0 }]);
  const { standing, amount, left, currency, message, reason } = gifts[0] as MyGift;
  assert.deepEqual([standing, amount, left, currency, message, reason], ['SEALED', null, null, null, null, null]);
  assert.equal((await ada.gift(id)).amount, null, 'reading does not open it');
  assert.equal((await ada.open(id)).amount, 25);
  assert.deepEqual((await ada.gifts()).totals, [{ currency: 'CAD', left: 25, gifts: 1, first: null }]);
});

test('gifts come in pages: sealed ones, then what expires first, then past ones from the newest', async () => {
  const { ada, issue, opened, setExpiry, workspace } = await openRecipients(service);
  const [late = 0, soon = 0, never = 0] = await opened([1, 2, 4]);
  await setExpiry(late, '2027-03-31T12:00:00Z');
  await setExpiry(soon, '2027-01-31T12:00:00Z');
  await setExpiry(never, null);
  const [dollars = 0] = await opened([8], { currency: 'USD' });
  const [past = 0, later = 0] = await opened([16, 32]);
  for (const gone of [past, later]) await workspace.cancelGift(gone);
  const [sealed = 0] = await issue([64]);
  const ids: number[] = [];
  for (let query = '?size=2', next: string | null = ''; next !== null; query = `?size=2&after=${next}`) {
    const page = await ada.gifts(query);
    ids.push(...page.gifts.map(({ id }) => id));
    next = page.next;
    assert.deepEqual(page.counts, { sealed: 1, open: 4, past: 2 });
    assert.deepEqual(
      page.totals.map(({ currency, left, gifts, first }) => [currency, left, gifts, first?.giftId ?? null]),
      [
        ['CAD', 7, 3, soon],
        ['USD', 8, 1, null],
      ],
    );
  }
  assert.deepEqual(ids, [sealed, soon, late, never, dollars, later, past]);
  const open = (await ada.gifts('?standing=OPEN')).gifts.map(({ id }) => id);
  assert.deepEqual(open, [soon, late, never, dollars]);
  refusal(await ada.call('/gifts?after=0_1'), 400);
});

test('a gift of a later day is not there before, and neither is a cancelled one that was never opened', async () => {
  const { ada, issue, workspace } = await openRecipients(service);
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
  const [later = 0] = await issue([25], {}, { deliverAt: tomorrow });
  const [cancelled = 0] = await issue([25]);
  await workspace.cancelGift(cancelled);
  assert.deepEqual(await ada.gifts(), {
    totals: [],
    counts: { sealed: 0, open: 0, past: 0 },
    gifts: [],
    next: null,
  });
  for (const id of [later, cancelled]) refusal(await ada.call(`/gifts/${id}`), 404);
  await workspace.call('/api/v1/clock/advance', { method: 'POST', body: { days: 2 } });
  assert.deepEqual((await ada.gifts()).counts.sealed, 1);
});

test('gifts are those of all records of the person, and of nobody else', async () => {
  const { ada, bob, issue, workspace, adaId } = await openRecipients(service);
  const [own = 0] = await issue([25]);
  const [twins = 0] = await issue([30], {}, { recipient: { email: 'ada.two@example.com' } });
  refusal(await ada.call(`/gifts/${twins}`), 404);
  const { members } = await workspace.members('?search=ada.two');
  await workspace.merge(members[0]?.id as number, adaId);
  assert.deepEqual(
    (await ada.gifts()).gifts.map(({ id }) => id),
    [own, twins],
  );
  for (const path of [`/gifts/${own}`, `/gifts/${own}/open`, `/gifts/${own}/claim`, `/gifts/${own}/thank`]) {
    const body = path.endsWith('thank') ? { text: 'Thanks' } : path === `/gifts/${own}` ? undefined : {};
    assert.match(refusal(await bob.call(path, body), 404), /You have no gift with this id/);
  }
  assert.equal((await bob.gifts()).counts.sealed, 0);
});

test('a gift is claimed and answered with a thank-you note, once', async () => {
  const { ada, issue } = await openRecipients(service);
  const [id = 0] = await issue([25]);
  refusal(await ada.call(`/gifts/${id}/thank`, { text: 'How kind!' }), 409);
  const { outcome, gift } = await ada.done<MyClaimResult>(`/gifts/${id}/claim`, {});
  assert.deepEqual([outcome, gift.state, gift.amount], ['CLAIMED', 'CLAIMED', 25]);
  assert.equal((await ada.done<MyClaimResult>(`/gifts/${id}/claim`, {})).outcome, 'CLAIMED');
  await ada.done(`/gifts/${id}/thank`, { text: 'How kind!\r\nAda' });
  assert.equal((await ada.done<MyGift>(`/gifts/${id}/thank`, { text: 'Again' })).thanks, 'How kind!\nAda');
});

test('a larger gift needs the emailed code of a caller who has not proven the address, and is not spent before', async () => {
  const { ada, opened, workspace } = await openRecipients(service);
  await database.query('update workspaces set code_above = 50 where id = $1', [workspace.id]);
  const [id = 0] = await opened([75]);
  const { totals, gifts } = await ada.gifts();
  assert.deepEqual([totals, gifts[0]?.needsCode, gifts[0]?.amount], [[], true, 75]);
  const spent = await ada.spend({ amount: 75, gifts: [{ giftId: id, amount: 75 }] }, 'early');
  assert.match(refusal(spent, 409), /has to be claimed first, with a verification code/);
  const claim = (code?: string) => ada.done<MyClaimResult>(`/gifts/${id}/claim`, code === undefined ? {} : { code });
  assert.equal((await claim()).outcome, 'CODE_SENT');
  const code = claimCode(keys, await readGift(database, workspace.id, id), 1);
  const wrong = code === '000000' ? '000001' : '000000';
  assert.equal((await claim(wrong)).outcome, 'CODE_WRONG');
  assert.equal((await claim(code)).outcome, 'CLAIMED');
  assert.equal(await ada.left(), 75);
});
