import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkLedger } from '../support/budgets.ts';
import { dumpTables } from '../support/dump.ts';
import { createGifts, titleOf, tokenKey } from '../support/gift-page.ts';
import { startService } from '../support/service.ts';
import { keyOf, offerAllOptions } from '../support/spending.ts';

const service = await startService({ mailServer: 'outbox', tokenKey, logLevel: 'trace' });
const gifts = createGifts(service);
const { fill, claimed, spend, offer } = await offerAllOptions(service, gifts);
await gifts.set(`brand_name = 'Northwind Labs'`);
const left = async (certificate: { id: number }) => {
  const { amount, redeemed } = await gifts.read(certificate);
  return amount - redeemed;
};

test('nothing can be spent before the gift is claimed, and the page shows no spending option', async () => {
  await fill('Riverside Books,25,unclaimed-1,,');
  const certificate = await gifts.order({ amount: 75 });
  const { longToken: token } = certificate;
  assert.doesNotMatch((await gifts.post('/g', { token })).text, /Spending options/);
  for (const path of ['/g/option', '/g/confirm', '/g/spend']) {
    const choice = { token, option: 'payroll', amount: '10', key: crypto.randomUUID() };
    const { text } = await gifts.post(path, choice);
    assert.match(text, /Claim your gift/);
  }
  const read = await gifts.read(certificate);
  assert.deepEqual([read.state, read.redeemed], ['ISSUED', 0]);
});

test('a gift is spent in parts with several spending options, each after a question, and the page says what is left', async () => {
  await fill('Riverside Books,25,RB-1111-2222,4417,2040-12-31', 'Riverside Books,50,RB-5,,');
  const certificate = await claimed();
  const { longToken: token } = certificate;
  const first = await gifts.post('/g', { token });
  for (const words of ['With your salary', 'A gift card', 'In the company shop', 'Give it to charity'])
    assert.ok(first.text.includes(words), words);

  const step = await gifts.post('/g/option', { token, option: 'payroll' });
  assert.match(step.text, /value="75"/, 'all that is left is filled in');
  const asked = await gifts.post('/g/confirm', { token, option: 'payroll', amount: '10,5' });
  assert.equal(titleOf(asked), 'Have CA$10.50 paid with your salary?');
  assert.match(asked.text, /Balance after this: CA\$64\.50/);
  assert.equal(await left(certificate), 75, 'the question spends nothing');
  const choice = { token, option: 'payroll', amount: '10.5', key: keyOf(asked) };
  assert.equal(titleOf(await gifts.post('/g/spend', choice)), 'CA$10.50 comes with your next salary');
  await Promise.all(Array.from({ length: 10 }, () => gifts.post('/g/spend', choice)));
  assert.equal(await left(certificate), 64.5, 'pressing again spends nothing more');

  const card = await spend(token, { option: 'cards', retailer: 'Riverside Books', amount: '25' });
  assert.equal(titleOf(card), 'Your Riverside Books gift card');
  for (const words of ['RB-1111-2222', '4417', '31 December 2040']) assert.ok(card.text.includes(words), words);
  const hand = await spend(token, { option: 'charity', amount: '39.5', requestText: 'The <b>food</b> bank' });
  assert.equal(titleOf(hand), 'Northwind Labs has your request');
  assert.match(hand.text, /That was all of your gift/);
  assert.deepEqual([(await gifts.read(certificate)).state, await left(certificate)], ['REDEEMED', 0]);

  const later = await gifts.post('/g', { token });
  assert.doesNotMatch(later.text, /Spending options|RB-1111-2222|4417/, 'a look alone reveals no code');
  assert.match(later.text, /Requested, not done yet/);
  const redemption = /name="redemption" value="(\d+)"/.exec(later.text)?.[1] ?? '';
  assert.ok((await gifts.post('/g/reveal', { token, redemption })).text.includes('RB-1111-2222'));
  await checkLedger(service.database);
});

test('amounts that are none, or too much, or not allowed are refused on their page', async () => {
  const certificate = await claimed(20);
  const { longToken: token } = certificate;
  for (const amount of ['', 'ten', '0', '-1', '20.01', '1.001', '1e1', '9999999']) {
    const answer = await gifts.post('/g/confirm', { token, option: 'payroll', amount });
    assert.equal(answer.status, 400, amount);
    assert.match(answer.text, /Enter an amount from CA\$0\.01 to CA\$20\.00\./);
    const pressed = await gifts.post('/g/spend', { token, option: 'payroll', amount, key: crypto.randomUUID() });
    assert.ok(pressed.status >= 400, amount);
  }
  const requestText = await gifts.post('/g/confirm', {
    token,
    option: 'charity',
    amount: '5',
    requestText: 'x'.repeat(201),
  });
  assert.deepEqual([requestText.status, /200 characters at most/.test(requestText.text)], [400, true]);
  await offer('whole', { kind: 'HAND', name: 'A dinner', allowsParts: false });
  assert.match((await gifts.post('/g/option', { token, option: 'whole' })).text, /The whole balance: CA\$20\.00/);
  assert.equal((await gifts.post('/g/confirm', { token, option: 'whole', amount: '5' })).status, 400);
  await offer('whole', { kind: 'HAND', name: 'A dinner', allowsParts: false, isOn: false });
  assert.equal(
    (await spend(token, { option: 'whole', amount: '20' })).status,
    400,
    'a spending option that is off has no key',
  );
  const off = { token, option: 'whole', amount: '20', key: crypto.randomUUID() };
  const refused = await gifts.post('/g/spend', off);
  assert.deepEqual([refused.status, /nothing was spent/.test(refused.text)], [409, true]);
  for (const key of ['', 'short', 'x'.repeat(36)])
    assert.equal((await gifts.post('/g/spend', { token, option: 'payroll', amount: '5', key })).status, 400);
  assert.equal(await left(certificate), 20);
});

test('an amount that may mean thousands is refused where the currency has fewer digits', async () => {
  const [cad, yen, dinars] = [
    await claimed(2_000),
    await claimed(10_000, {}, { currency: 'JPY' }),
    await claimed(20, {}, { currency: 'KWD' }),
  ];
  for (const [certificate, amount] of [
    [cad, '1,500'],
    [yen, '5,000'],
    [yen, '5.000'],
    [yen, '5.0'],
  ] as const) {
    const choice = { token: certificate.longToken, option: 'payroll', amount };
    assert.equal((await gifts.post('/g/confirm', choice)).status, 400, amount);
    assert.equal((await gifts.post('/g/spend', { ...choice, key: crypto.randomUUID() })).status, 400, amount);
  }
  assert.deepEqual([await left(cad), await left(yen)], [2_000, 10_000]);
  const asked = await gifts.post('/g/confirm', { token: dinars.longToken, option: 'payroll', amount: '1.500' });
  assert.match(titleOf(asked), /^Have KWD\s1\.500 paid/);
});

test('limits with more decimals than the currency are rounded, and a spending option that takes no amount is not offered', async () => {
  await offer('snacks', { kind: 'HAND', name: 'Snacks', minAmount: 1.5, maxAmount: 99.5 });
  await offer('nothing', { kind: 'HAND', name: 'Nothing at all', minAmount: 99.2, maxAmount: 99.8 });
  const yen = await claimed(500, {}, { currency: 'JPY' });
  const { longToken: token } = yen;
  assert.doesNotMatch((await gifts.post('/g', { token })).text, /Nothing at all/);
  const { text } = await gifts.post('/g/option', { token, option: 'snacks' });
  assert.match(text, /From JP¥2 to JP¥99/);
  assert.match(text, /name="amount"[^>]* value="99"/);
  for (const amount of ['1', '100']) {
    assert.equal((await gifts.post('/g/confirm', { token, option: 'snacks', amount })).status, 400, amount);
    const pressed = await gifts.post('/g/spend', { token, option: 'snacks', amount, key: crypto.randomUUID() });
    assert.equal(pressed.status, 409, amount);
  }
  assert.equal((await spend(token, { option: 'snacks', amount: '99' })).status, 200);
  assert.equal(await left(yen), 401);
});

test('a request is kept to the last character, and no text of a form is a fault of the service', async () => {
  const certificate = await claimed(20);
  const { longToken: token } = certificate;
  const press = (fields: Record<string, string>) =>
    gifts.post('/g/spend', { token, option: 'charity', amount: '5', key: crypto.randomUUID(), ...fields });
  for (const text of ['\0', 'a\0b', '😀'.repeat(201)])
    assert.equal((await press({ requestText: text })).status, 400, JSON.stringify(text));
  for (const fields of [{ option: '\0' }, { option: 'cards', retailer: '\0' }] as Record<string, string>[])
    assert.equal((await press(fields)).status, 400, JSON.stringify(fields));
  assert.equal(
    (await gifts.post('/g/confirm', { token, option: 'charity', amount: '5', requestText: '\0' })).status,
    400,
  );
  assert.equal(await left(certificate), 20);
  const requestText = `a${'😀'.repeat(199)}`;
  assert.equal((await press({ requestText })).status, 200);
  const asked = await service.database.query(`select from redemptions where detail ->> 'requestText' = $1`, [
    requestText,
  ]);
  assert.equal(asked.length, 1);
});

test('an empty pool says so, and the balance stays', async () => {
  await fill('Café Lune,5,last-one,,');
  const [one, other] = [await claimed(20), await claimed(20)];
  const choice = { option: 'cards', retailer: 'Café Lune', amount: '5' };
  const asked = await gifts.post('/g/confirm', { token: other.longToken, ...choice });
  assert.equal((await spend(one.longToken, choice)).status, 200);
  const late = await gifts.post('/g/spend', { token: other.longToken, ...choice, key: keyOf(asked) });
  assert.equal(late.status, 409);
  assert.match(late.text, /No Café Lune gift card worth CA\$5\.00 is left right now\. Nothing was spent\./);
  assert.equal(await left(other), 20);
  const { text } = await gifts.post('/g/option', { token: other.longToken, option: 'cards' });
  assert.match(text, /No gift cards are left right now/);
  await fill('Café Lune,6,another-one,,');
  const some = await gifts.post('/g/option', { token: other.longToken, option: 'cards' });
  assert.match(some.text, /CA\$5\.00<\/span> <span class="small">none left/);
});

test('a code is shown to the owner of the gift that paid for it, and to nobody else', async () => {
  await fill('Riverside Books,10,OWNER-77-ONLY,88417726053,');
  const [owner, stranger] = [await claimed(), await claimed()];
  await spend(owner.longToken, { option: 'cards', retailer: 'Riverside Books', amount: '10' });
  const { text } = await gifts.post('/g', { token: owner.longToken });
  const redemption = /name="redemption" value="(\d+)"/.exec(text)?.[1] ?? '';
  const shown = await gifts.post('/g/reveal', { token: owner.longToken, redemption });
  assert.ok(shown.text.includes('OWNER-77-ONLY'));
  assert.equal(shown.headers.get('cache-control'), 'no-store');
  const others = [
    await gifts.post('/g/reveal', { token: stranger.longToken, redemption }),
    await gifts.post('/g/reveal', { redemption }),
    await gifts.post('/g/reveal', { token: owner.longToken, redemption }, { 'Sec-Fetch-Site': 'cross-site' }),
    await gifts.post('/g/look', { token: owner.longToken }),
    await fetch(`${service.url}/g/reveal?token=${owner.longToken}&redemption=${redemption}`).then(textOf),
    await fetch(`${service.url}/g?token=${owner.longToken}`).then(textOf),
  ];
  for (const [nth, answer] of others.entries()) assert.ok(!answer.text.includes('OWNER-77-ONLY'), `answer ${nth}`);
  assert.equal(others[2]?.status, 403);
  const places = [
    await dumpTables(service.database),
    JSON.stringify(service.logLines()),
    JSON.stringify((await service.call('/api/v1/events?size=1000')).body),
    JSON.stringify((await service.call('/api/v1/audit?size=100')).body),
  ];
  for (const place of places) assert.ok(!/OWNER-?77-?ONLY|88417726053/.test(place));
});

test('the page shows the reference of a till, as text', async () => {
  const { longToken: token } = await claimed();
  const body = { token, amount: 5, reference: 'Receipt <b>4711</b>' };
  const headers = { 'Idempotency-Key': crypto.randomUUID() };
  const { status } = await service.call('/api/v1/gifts/redemptions', { method: 'POST', body, headers });
  assert.equal(status, 201);
  const { text } = await gifts.post('/g', { token });
  assert.match(text, /<span class="small" dir="auto">Receipt &(#60|lt);b&(#62|gt);4711&/);
});

test('the page of a shop carries the code to it', async () => {
  const { longToken: token, shortToken } = await claimed();
  const { text } = await gifts.post('/g/option', { token, option: 'shop' });
  const address = `https://shop.example.com/?gift=${shortToken}`;
  assert.ok(text.replaceAll('&#61;', '=').includes(`href="${address}" rel="noreferrer noopener"`));
});

test('the steps speak French and Spanish, and name payroll in the language of the reader', async () => {
  const { longToken: token } = await claimed();
  const french = await gifts.post('/g', { token, lang: 'fr' });
  assert.match(french.text, /Options d’utilisation.*Avec votre salaire/s);
  const asked = await gifts.post('/g/confirm', { token, lang: 'fr', option: 'payroll', amount: '10' });
  assert.match(titleOf(asked), /^Faire verser 10,00/);
  assert.match(asked.text, /name="lang" value="fr"/, 'the next step stays in the language');
  const spanish = await gifts.post('/g/confirm', { token, lang: 'es', option: 'payroll', amount: '10' });
  assert.match(titleOf(spanish), /^¿Recibir 10,00\sCAD con su salario\?$/);
});

async function textOf(answer: Response) {
  return { status: answer.status, text: await answer.text(), headers: answer.headers };
}
