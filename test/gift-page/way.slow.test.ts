import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OrderRequestStatus } from '../../src/ground/contract/order.ts';
import { needsBrowser, openVisitor, seen } from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';
import { createGifts } from '../support/gift-page.ts';
import { mailSettings } from '../support/mail-queue.ts';
import { parseMail, startMailServer } from '../support/mail-server.ts';
import { startService } from '../support/service.ts';
import { openWorkspace } from '../support/workspace.ts';

const mailServer = await startMailServer();
const service = await startService(mailSettings(mailServer.url));
const ada = await openWorkspace(service, {
  people: [{ firstName: 'Ada', lastName: 'Okafor', email: 'ada@northwind.example' }],
  actsAs: 'ada@northwind.example',
  tokenName: 'Ada Okafor',
});
const gifts = createGifts({
  ...service,
  workspaceId: ada.id,
  async fulfilled(order) {
    const { body } = await ada.call<OrderRequestStatus>('/api/v1/orders', { method: 'POST', body: order });
    return ada.outcome(body.requestId);
  },
});
const message = 'You kept eleven people calm.\nPlease have a very good dinner.';
const thanks = 'Ada, <b>thank</b> you.\nIt was a good night.';

/** Orders a gift for somebody new, and waits for the mail about it. The link and the code are what the mail says. */
async function send(changes: Record<string, unknown> = {}, amount = 25) {
  const address = `mei.${crypto.randomUUID()}@northwind.example`;
  const recipient = { email: address, firstName: 'Mei', lastName: 'Tanaka' };
  const certificate = await gifts.order({ message, amount, recipient }, changes);
  const text = await mailTo(address);
  const link = /http:\S+\/g#\S+/.exec(text)?.[0] ?? '';
  const code = /\b(?:[0-9A-Z]{4}-){3}[0-9A-Z]{4}\b/.exec(text)?.[0] ?? '';
  return { certificate, address, link, code };
}

/** The text of the nth mail to an address. */
async function mailTo(address: string, nth = 0): Promise<string> {
  const mail = await eventually(async () => mailServer.to(address)[nth]);
  return (await parseMail(mail)).text ?? '';
}

let found = 0;
/** What recipients did since the last time, as events have it. */
async function newEvents(): Promise<string[]> {
  const all = await gifts.events();
  const fresh = all.slice(found);
  found = all.length;
  return fresh;
}

const phone = { viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true };

for (const [device, options] of [
  ['a desktop', { viewport: { width: 1280, height: 900 } }],
  ['a phone of 360 pixels', phone],
] as const)
  test(`on ${device}, somebody follows the mail, opens the gift, claims it and says thanks`, needsBrowser, async () => {
    const { certificate, link, code } = await send();
    const { page, faults, checkAccess } = await openVisitor(service.url, options);
    await page.goto(link);
    await seen(page.getByRole('heading', { name: 'Mei, you have a thank-you gift' }));
    await checkAccess('sealed');
    assert.equal(await page.getByText('You kept eleven people calm.').isVisible(), false);

    await page.getByRole('button', { name: 'Open your gift' }).click();
    await seen(page.getByText('Please have a very good dinner.'));
    assert.match(await page.locator(':focus').innerText(), /^Ada Okafor thanks you, with a gift of CA\$25\.00/);
    await checkAccess('open');
    assert.deepEqual(await newEvents(), ['gift.viewed']);
    assert.equal((await gifts.read(certificate)).state, 'ISSUED');

    await page.getByRole('button', { name: 'Claim your gift' }).click();
    await seen(page.getByRole('heading', { name: 'It is yours, Mei' }));
    await seen(page.getByText(code));
    await checkAccess('claimed');

    const notes = mailServer.to('ada@northwind.example').length;
    await page.getByLabel('Your note to Ada Okafor').fill(thanks);
    await page.getByRole('button', { name: 'Send note' }).click();
    await seen(page.getByRole('heading', { name: 'Your thank-you note to Ada Okafor' }));
    assert.equal(await page.locator('.thanks blockquote').innerText(), thanks);
    await checkAccess('thanked');
    assert.match(await mailTo('ada@northwind.example', notes), /It was a good night\./);

    assert.deepEqual(await newEvents(), ['gift.claimed', 'gift.thanked']);
    assert.equal((await gifts.read(certificate)).thanks, thanks);
    assert.equal(page.url(), link, 'the link in the address goes on working');
    const isWide = await page.evaluate('document.documentElement.scrollWidth > innerWidth');
    assert.equal(isWide, false, 'nothing is cut off at the side');
    assert.deepEqual(faults, []);
  });

test('without JavaScript, the code of the mail and forms do the same', needsBrowser, async () => {
  const { link, code } = await send();
  const { page, faults } = await openVisitor(service.url, { ...phone, javaScriptEnabled: false });
  await page.goto(link);
  await page.getByLabel('Gift code from your email or card').fill(code.toLowerCase().replace(/-/g, ' '));
  await page.getByRole('button', { name: 'Find my gift' }).click();
  await seen(page.getByText('Please have a very good dinner.'));
  assert.equal(await page.getByRole('button', { name: 'Open your gift' }).count(), 0);
  await page.getByRole('button', { name: 'Claim your gift' }).click();
  await seen(page.getByRole('heading', { name: 'It is yours, Mei' }));
  assert.equal(await page.getByRole('button', { name: 'Copy' }).isVisible(), false);
  await page.getByLabel('Your note to Ada Okafor').fill(thanks);
  await page.getByRole('button', { name: 'Send note' }).click();
  await seen(page.getByRole('heading', { name: 'Your thank-you note to Ada Okafor' }));
  assert.deepEqual(await newEvents(), ['gift.viewed', 'gift.claimed', 'gift.thanked']);
  assert.deepEqual(faults, []);
});

test('a scanner that runs the script and presses nothing leaves the gift as it is', needsBrowser, async () => {
  const { certificate, link } = await send();
  for (let look = 0; look < 3; look++) {
    const { page } = await openVisitor(service.url);
    await page.goto(link, { waitUntil: 'networkidle' });
    await seen(page.getByRole('button', { name: 'Open your gift' }));
  }
  assert.equal((await gifts.read(certificate)).state, 'ISSUED');
  assert.deepEqual(await newEvents(), ['gift.viewed']);
});

test('a large gift is claimed with the digits of a second mail', needsBrowser, async () => {
  await gifts.set('code_above = 100');
  const { certificate, link, address } = await send({}, 150);
  const { page } = await openVisitor(service.url);
  await page.goto(link);
  await page.getByRole('button', { name: 'Open your gift' }).click();
  await page.getByRole('button', { name: 'Claim your gift' }).click();
  await seen(page.getByRole('heading', { name: 'One more step' }));
  const digits = /\b\d{3} ?\d{3}\b/.exec(await mailTo(address, 1))?.[0] ?? '';
  assert.equal(await page.evaluate('document.activeElement.id'), 'digits');
  await page.keyboard.type(digits);
  await page.keyboard.press('Enter');
  await seen(page.getByRole('heading', { name: 'It is yours, Mei' }));
  assert.equal((await gifts.read(certificate)).state, 'CLAIMED');
});

test('somebody who comes back sees the letter at once, and in the language of their choice', needsBrowser, async () => {
  const { link } = await send({ language: 'FR_CA' });
  const { page } = await openVisitor(service.url, { reducedMotion: 'no-preference' });
  await page.goto(link);
  await page.getByRole('button', { name: 'Ouvrir votre cadeau' }).click();
  await seen(page.getByText('Please have a very good dinner.'));
  await page.reload();
  await seen(page.getByRole('button', { name: 'Accepter votre cadeau' }));
  assert.equal(await page.getByRole('button', { name: 'Ouvrir votre cadeau' }).isVisible(), false);
  await page.getByRole('button', { name: 'Español' }).click();
  await seen(page.getByRole('button', { name: 'Aceptar su regalo' }));
  assert.match((await page.locator('html').getAttribute('lang')) ?? '', /^es/);
  await page.getByRole('button', { name: 'Aceptar su regalo' }).click();
  await seen(page.getByRole('heading', { name: 'Es suyo, Mei' }));
});

test('the whole way works with a keyboard alone', needsBrowser, async () => {
  const { certificate, link } = await send();
  const { page } = await openVisitor(service.url);
  const focused = () => page.evaluate<string>('document.activeElement.innerText');
  const reach = async (name: string) => {
    for (let step = 0; step < 20 && (await focused()) !== name; step++) await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
  };
  await page.goto(link);
  await seen(page.getByRole('button', { name: 'Open your gift' }));
  await reach('Open your gift');
  await seen(page.getByRole('button', { name: 'Claim your gift' }));
  await reach('Claim your gift');
  await seen(page.getByRole('heading', { name: 'It is yours, Mei' }));
  assert.equal((await gifts.read(certificate)).state, 'CLAIMED');
});
