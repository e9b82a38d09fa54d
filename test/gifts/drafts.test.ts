import assert from 'node:assert/strict';
import { test } from 'node:test';
import { updateGiftSettings } from '../../src/company/workspaces/gift-settings.ts';
import type { GiftPreview, GiftTest } from '../../src/ground/contract/gift-draft.ts';
import { mailSettings } from '../support/mail-queue.ts';
import { parseMail, startMailServer } from '../support/mail-server.ts';
import { startService } from '../support/service.ts';
import { openWorkspace, refusal, type TestWorkspace } from '../support/workspace.ts';

const mailServer = await startMailServer({
  onRecipient: (address) => (address.startsWith('nobody') ? '550 5.1.1 user unknown' : undefined),
});
const service = await startService({
  ...mailSettings(mailServer.url),
  publicUrl: 'https://gifts.example.com',
});
const people = [{ email: 'ada@example.com', firstName: 'Ada', lastName: 'Okafor' }];
const draft = { message: 'You <b>kept</b> calm.', amount: 75, currency: 'CAD', firstName: 'Mei' };

async function asked<Body>(workspace: TestWorkspace, path: string, body: object): Promise<Body> {
  const answer = await workspace.call<Body>(`/api/v1/gifts/${path}`, { method: 'POST', body });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body;
}

test('a preview is the mail and the page that the recipient would get, with nothing that opens a gift', async () => {
  const workspace = await openWorkspace(service, { people, tokenName: 'Ada Okafor', name: 'Northwind Labs' });
  const { from, subject, text, mail, page, claimBy } = await asked<GiftPreview>(workspace, 'preview', draft);
  assert.deepEqual([from, subject, claimBy], ['Ada Okafor via Northwind Labs', 'Ada Okafor sent you a gift', null]);
  for (const shown of [mail, page]) {
    assert.match(shown, /CA\$75\.00/);
    assert.match(shown, /You &#60;b&#62;kept&#60;\/b&#62; calm\./);
    assert.doesNotMatch(shown, /\/g#|name="token"/);
  }
  assert.match(mail, /Thank you, Mei/);
  assert.match(text, /You <b>kept<\/b> calm\./);
  assert.match(mail, /XXXX-XXXX-XXXX-XXXX/);
  assert.equal((await workspace.activity()).totalElements, 0);
  const named = await asked<GiftPreview>(workspace, 'preview', { ...draft, senderName: 'Samir Marín' });
  assert.equal(named.subject, 'Samir Marín sent you a gift');
  const birthday = await asked<GiftPreview>(workspace, 'preview', { ...draft, occasion: 'BIRTHDAY' });
  assert.match(birthday.mail, /Happy birthday, Mei/);
  assert.match(page, /thanks you, with a gift/);
  assert.match(birthday.page, /sent you a gift of/);
});

test('language, reason, dates and a look to try are those of the draft', async () => {
  const workspace = await openWorkspace(service, { people, name: 'Northwind Labs' });
  await service.database.transaction((tx) => updateGiftSettings(tx, workspace.id, { giftDays: 10, colour: '#0F5C5C' }));
  const { body: reason } = await workspace.call<{ id: number }>('/api/v1/reasons', {
    method: 'POST',
    body: { description: 'Mentoring' },
  });
  const deliverAt = new Date(Date.now() + 5 * 86_400_000).toISOString();
  const { subject, mail, page, claimBy } = await asked<GiftPreview>(workspace, 'preview', {
    ...draft,
    language: 'FR_CA',
    reasonId: reason.id,
    deliverAt,
    brand: { name: 'Vent du Nord', colour: '#1B4F9C' },
  });
  assert.match(subject, /vous a envoyé un cadeau/);
  for (const shown of [mail, page]) {
    assert.match(shown, /Vent du Nord/);
    assert.match(shown, /1B4F9C/i);
    assert.match(shown, /Mentoring/);
    assert.match(shown, /<html lang="fr-CA"/);
  }
  const days = (Date.parse(claimBy ?? '') - Date.now()) / 86_400_000;
  assert.ok(days > 14 && days <= 16, String(days));
});

test('a draft at fault is refused with the fields of an order, and with those of the look', async () => {
  const workspace = await openWorkspace(service, { people });
  for (const [changes, message] of [
    [{ amount: 75.005 }, /^amount must have at most 2 decimals in CAD$/],
    [{ message: ' ', amount: 0 }, /^message must not be empty; amount must be from 1 to 10000$/],
    [{ reasonId: 999_999 }, /^reasonId is not one of the workspace's reasons$/],
    [{ brand: { colour: '#777777', replyTo: 'nobody' } }, /^brand\.colour must leave .*; brand\.replyTo must be/],
    [{ brand: { colour: 'red' } }, /^brand\.colour must be a colour/],
  ] as const) {
    const answer = await workspace.call('/api/v1/gifts/preview', { method: 'POST', body: { ...draft, ...changes } });
    assert.match(refusal(answer, 400), message);
  }
});

test('a test goes to oneself, says that it is one, and is in no queue', async () => {
  const workspace = await openWorkspace(service, { people, actsAs: 'ada@example.com', tokenName: 'Ada Okafor' });
  const result = await asked<GiftTest>(workspace, 'test', draft);
  assert.deepEqual(
    [result.delivery, result.to, result.subject],
    ['SENT', 'ada@example.com', 'Test: Ada Okafor sent you a gift'],
  );
  assert.match(result.answer ?? '', /^250 /);
  const [received] = mailServer.to('ada@example.com');
  assert.ok(received);
  const mail = await parseMail(received);
  assert.equal(mail.subject, result.subject);
  for (const part of [mail.text ?? '', mail.html ?? '']) {
    assert.match(part, /This is a test that only you received/);
    assert.doesNotMatch(part, /\/g#/);
  }
  const { gifts } = await workspace.read<{ gifts: unknown[] }>('/api/v1/gifts');
  assert.deepEqual(gifts, []);
});

test('a refused test says what the mail server answered', async () => {
  const workspace = await openWorkspace(service, {
    people: [{ email: 'nobody@example.com' }],
    actsAs: 'nobody@example.com',
  });
  const { delivery, answer } = await asked<GiftTest>(workspace, 'test', draft);
  assert.equal(delivery, 'FAILED');
  assert.match(answer ?? '', /550 5\.1\.1/);
});

test('a token that acts for nobody with an address has no test, and ten a minute are enough', async () => {
  const workspace = await openWorkspace(service, { people });
  const body = draft;
  assert.match(
    refusal(await workspace.call('/api/v1/gifts/test', { method: 'POST', body }), 409),
    /use the token of a person/,
  );
  const person = await openWorkspace(service, { people: [{ email: 'bo@example.com' }], actsAs: 'bo@example.com' });
  for (let nth = 0; nth < 10; nth++) await asked<GiftTest>(person, 'test', draft);
  const answer = await person.call('/api/v1/gifts/test', { method: 'POST', body });
  assert.equal(answer.status, 429);
  assert.match(String(answer.body.message), /10 test emails .* wait \d+ s/);
});
