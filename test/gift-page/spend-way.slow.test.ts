import assert from 'node:assert/strict';
import { test } from 'node:test';
import { needsBrowser, openVisitor, seen } from '../support/browser.ts';
import { createGifts, tokenKey } from '../support/gift-page.ts';
import { startService } from '../support/service.ts';
import { offerAllOptions } from '../support/spending.ts';

const service = await startService({ mailServer: 'outbox', tokenKey });
const gifts = createGifts(service);
const { fill, claimed } = await offerAllOptions(service, gifts);
await gifts.set(`brand_name = 'Northwind Labs'`);
const phone = { viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true };

for (const [device, options] of [
  ['a desktop', { viewport: { width: 1440, height: 900 } }],
  ['a phone of 360 pixels', phone],
  ['a phone without JavaScript', { ...phone, javaScriptEnabled: false }],
] as const)
  test(
    `on ${device}, an owner gets a code, asks for a donation, and has the rest paid with the salary`,
    needsBrowser,
    async () => {
      const secret = `HB-${crypto.randomUUID().slice(0, 13)}`;
      await fill(`Harbour Books,25,${secret},4417,2040-12-31`);
      const { longToken, shortToken, ...certificate } = await claimed(75);
      const { page, faults, checkAccess } = await openVisitor(service.url, options);
      const isScripted = !('javaScriptEnabled' in options);
      const check = async (what: string) => {
        if (!isScripted) return;
        await checkAccess(what);
        const isWide = await page.evaluate('document.documentElement.scrollWidth > innerWidth');
        assert.equal(isWide, false, `${what}: nothing is cut off at the side`);
      };
      const press = (name: string) => page.getByRole('button', { name }).click();
      const title = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor();

      await page.goto(isScripted ? `${service.url}/g#${longToken}` : `${service.url}/g`);
      if (!isScripted) {
        await page.getByLabel('Gift code from your email or card').fill(shortToken);
        await press('Find my gift');
      }
      await title('It is yours, Mei');
      await check('the spending options');
      await press('A gift card');
      await title('A gift card');
      await check('the cards');
      await press('Harbour Books, CA$25.00');
      await title('Get a Harbour Books gift card worth CA$25.00?');
      assert.equal(await page.getByText(secret).count(), 0);
      await check('the question');
      await press('Yes, show the code');
      await title('Your Harbour Books gift card');
      await seen(page.getByText(secret));
      await check('the code');

      await press('Back to your gift');
      await seen(page.getByText('CA$50.00', { exact: true }));
      assert.equal(await page.getByText(secret).count(), 0);
      await press('Show the code of your Harbour Books gift card worth CA$25.00');
      await seen(page.getByText(secret));
      await press('Back to your gift');

      await press('Give it to charity');
      await page.getByLabel('Amount (CAD)').fill('500');
      await page.getByLabel('What would you like?').fill('The food bank');
      await press('Continue');
      await seen(page.getByText('Enter an amount from CA$0.01 to CA$50.00.'));
      assert.equal(await page.getByLabel('What would you like?').inputValue(), 'The food bank');
      await check('a fault');
      await page.getByLabel('Amount (CAD)').fill('20,5');
      await press('Continue');
      await title('Give it to charity, for CA$20.50?');
      await press('Yes, ask Northwind Labs');
      await title('Northwind Labs has your request');

      await press('With your salary');
      await press('Continue');
      await title('Have CA$29.50 paid with your salary?');
      await press('Yes, with my salary');
      await title('CA$29.50 comes with your next salary');
      await seen(page.getByText('That was all of your gift.'));
      assert.equal(await page.getByText('Spending options').count(), 0);
      await check('all spent');
      assert.equal((await gifts.read(certificate)).state, 'REDEEMED');
      assert.deepEqual(faults, []);
    },
  );

test('Back returns from a step to the gift, and once more leaves the gift', needsBrowser, async () => {
  for (const isTyped of [false, true]) {
    const { longToken, shortToken } = await claimed(75);
    const { page } = await openVisitor(service.url, phone);
    const press = (name: string) => page.getByRole('button', { name }).click();
    const title = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor();
    await page.goto(`${service.url}/docs`);
    await page.goto(isTyped ? `${service.url}/g` : `${service.url}/g#${longToken}`);
    if (isTyped) {
      await page.getByLabel('Gift code from your email or card').fill(shortToken);
      await press('Find my gift');
    }
    await title('It is yours, Mei');

    await press('Give it to charity');
    await page.getByLabel('What would you like?').fill('The food bank');
    await press('Continue');
    await title('Give it to charity, for CA$75.00?');
    await page.goBack();
    await title('It is yours, Mei');

    await press('Give it to charity');
    await title('Give it to charity');
    await press('Back to your gift');
    await title('It is yours, Mei');
    await page.waitForFunction('history.state === null');
    await page.goBack();
    await page.waitForURL(`${service.url}/docs`);
  }
});
