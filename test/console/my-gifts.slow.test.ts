import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MyGiftPage } from '../../src/ground/contract/my-gift.ts';
import type { RedemptionPage } from '../../src/ground/contract/redemption.ts';
import { needsBrowser, seen } from '../support/browser.ts';
import { openMy } from '../support/my.ts';
import { openRecipients } from '../support/own-gifts.ts';
import { offerSpendingOption } from '../support/redemptions.ts';
import { startService } from '../support/service.ts';

const service = await startService({ mailServer: 'outbox' });
const kilobyte = 1_000;
const mostOfFirstLoad = 200 * kilobyte;

/** Ada with gifts, in the app at the width of a phone. */
async function openAda(amounts: readonly number[], options: { width?: number; language?: 'en' | 'fr' | 'es' } = {}) {
  const company = await openRecipients(service);
  const ids = amounts.length > 0 ? await company.opened(amounts) : [];
  const app = await openMy(service, { workspace: company.workspace.id, email: 'ada@example.com', ...options });
  return { ...company, ...app, ids };
}

test('an emailed link leads to my gifts, and two of them are spent together at 360 pixels', needsBrowser, async () => {
  const { page, done, issue, setExpiry, ids, workspace, ada, open } = await openAda([20, 75]);
  await setExpiry(ids[1] as number, null);
  await issue([30]);
  await open('/');
  await seen(page.getByText('CA$95.00'));
  await seen(page.getByText('Not opened yet'));
  assert.equal(await page.getByText('CA$30.00').count(), 0, 'an unopened gift keeps its secret');
  await done('my gifts');
  await page.getByRole('link', { name: 'Spend it' }).click();
  await page.getByLabel('How much?').fill('80,00');
  await page.getByText('With the next salary').click();
  await done('how much, and how');
  await page.getByRole('button', { name: 'See where it comes from' }).click();
  await seen(page.getByRole('heading', { name: 'CA$80.00 from 2 gifts' }));
  await seen(page.getByText('A part of it'));
  await done('where it comes from');
  assert.equal(await ada.left(), 95, 'nothing is spent yet');
  await page.getByRole('button', { name: 'Spend CA$80.00' }).click();
  await seen(page.getByRole('heading', { name: 'CA$80.00 is paid with your salary' }));
  await done('done');
  const { redemptions } = await workspace.read<RedemptionPage>('/api/v1/redemptions');
  assert.deepEqual(
    redemptions.map(({ giftId, amount }) => [giftId, amount]).sort(),
    [
      [ids[0], 20],
      [ids[1], 60],
    ].sort(),
  );
  await page.getByRole('button', { name: 'Reverse it' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Reverse it' }).click();
  await seen(page.getByRole('heading', { name: 'CA$80.00 was reversed' }));
  assert.equal(await ada.left(), 95);
});

test('a sealed gift is opened, claimed and answered, with the keyboard alone', needsBrowser, async () => {
  const { page, done, issue, ada, open } = await openAda([]);
  const [id] = await issue([50], {}, { message: 'You kept eleven people calm.' });
  await open('/');
  const press = async (name: string) => {
    const target = page.locator(`a:visible, button:visible, textarea:visible`).filter({ hasText: name }).first();
    await target.waitFor();
    for (let at = 0; at < 60; at++) {
      if (await target.evaluate((one) => one.matches(':focus'))) return page.keyboard.press('Enter');
      await page.keyboard.press('Tab');
    }
    return assert.fail(`${name} is not reached with Tab`);
  };
  await press('Not opened yet');
  await seen(page.getByRole('button', { name: 'Open your gift' }));
  await done('a sealed gift');
  await press('Open your gift');
  await seen(page.getByText('You kept eleven people calm.'));
  await press('Claim your gift');
  await seen(page.getByLabel('Your thank-you note'));
  await page.getByLabel('Your thank-you note').focus();
  await page.keyboard.type('Thank you!');
  await press('Send thank-you note');
  await seen(page.getByRole('heading', { name: 'Your thank-you note' }));
  await done('a claimed gift');
  const gift = await ada.gift(id as number);
  assert.deepEqual([gift.state, gift.thanks], ['CLAIMED', 'Thank you!']);
});

test(
  'what has changed meanwhile is said, nothing is spent, and the next look is one press away',
  needsBrowser,
  async () => {
    const { page, done, ada, open, ids } = await openAda([20, 75]);
    await open('/spend');
    await page.getByRole('button', { name: 'All of it' }).click();
    await page.getByText('With the next salary').click();
    await page.getByRole('button', { name: 'See where it comes from' }).click();
    await seen(page.getByRole('heading', { name: 'CA$95.00 from 2 gifts' }));
    const parts = [{ giftId: ids[0], amount: 20 }];
    assert.equal((await ada.spend({ amount: 20, gifts: parts }, 'meanwhile')).status, 201);
    await page.getByRole('button', { name: 'Spend CA$95.00' }).click();
    await seen(page.getByRole('alert').getByText('Nothing was spent.').first());
    await done('a gift that was spent meanwhile');
    assert.equal(await ada.left(), 75);
  },
);

test('without a connection what was typed stays, and nothing is spent', needsBrowser, async () => {
  const { page, open, ada } = await openAda([20]);
  await open('/spend');
  await page.getByLabel('How much?').fill('15');
  await page.getByText('With the next salary').click();
  await page.context().setOffline(true);
  await page.getByRole('button', { name: 'See where it comes from' }).click();
  await seen(page.getByText('You are offline.'));
  assert.equal(await page.getByLabel('How much?').inputValue(), '15');
  await page.context().setOffline(false);
  await page.getByRole('button', { name: 'See where it comes from' }).click();
  await seen(page.getByRole('heading', { name: 'CA$15.00 from one gift' }));
  assert.equal(await ada.left(), 20);
});

test('a person without gifts reads what this place is for, in each language', needsBrowser, async () => {
  for (const [language, text] of [
    ['en', 'When a colleague sends you a gift'],
    ['fr', 'Quand un collègue vous envoie un cadeau'],
    ['es', 'Cuando un colega le envíe un regalo'],
  ] as const) {
    const { page, done, ada, open } = await openAda([], { language });
    await open('/');
    await seen(page.getByText(text));
    await done(`no gifts in ${language}`);
    assert.deepEqual((await ada.done<MyGiftPage>('/gifts')).totals, []);
  }
});

test('the gift of a shop is spent with its code, which shows when one asks for it', needsBrowser, async () => {
  const { page, done, open, workspace, ids, ada } = await openAda([40]);
  const setting = { kind: 'TILL', name: 'Company shop', link: 'https://shop.example.com/?gift={code}' } as const;
  await offerSpendingOption(service.database, workspace.id, 'shop', setting);
  await ada.done(`/gifts/${ids[0]}/claim`, {});
  await open(`/gifts/${ids[0]}`);
  await page.getByRole('button', { name: 'Show gift code' }).click();
  await seen(page.getByText(/^[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}$/));
  await done('the code of a gift');
});

test('the first load has at most 200 KB, and the page is the company’s from its first byte', needsBrowser, async () => {
  const { page, workspace, open, faults } = await openAda([20]);
  await open('/');
  await seen(page.getByText('CA$20.00').first());
  const loaded = await page.evaluate(() =>
    performance
      .getEntries()
      .filter((entry) => 'encodedBodySize' in entry)
      .map(({ name, encodedBodySize }) => ({ name: new URL(name).pathname, bytes: Number(encodedBodySize) })),
  );
  const files = loaded.filter(({ name }) => !name.startsWith('/api/'));
  assert.ok(files.length > 3 && files.every(({ bytes }) => bytes > 0), JSON.stringify(files));
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
  assert.ok(total <= mostOfFirstLoad, `${Math.round(total / kilobyte)} KB: ${JSON.stringify(files)}`);
  const answer = await fetch(`${service.url}/my/${workspace.id}`);
  assert.match(
    answer.headers.get('Content-Security-Policy') ?? '',
    /^default-src 'none'; script-src 'self'; style-src 'self'; /,
  );
  const sent = await fetch(`${service.url}/my/${workspace.id}/manifest.webmanifest`);
  const manifest = (await sent.json()) as Record<string, unknown>;
  assert.deepEqual([manifest.display, manifest.scope], ['standalone', '/my']);
  assert.deepEqual(faults, []);
});
