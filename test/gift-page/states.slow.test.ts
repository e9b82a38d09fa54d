import assert from 'node:assert/strict';
import { test } from 'node:test';
import { quietToken } from '../../src/giving/gifts/quiet.ts';
import { needsBrowser, openVisitor, seen, type Visitor } from '../support/browser.ts';
import { createGifts, keys, tokenKey } from '../support/gift-page.ts';
import { startService } from '../support/service.ts';

const service = await startService({ mailServer: 'outbox', tokenKey });
const gifts = createGifts(service);
await gifts.set(`brand_name = 'Northwind Labs', reply_to = 'people@northwind.example', gift_days = 30`);

type State = [title: string, show: (visitor: Visitor) => Promise<void>];

const atLink = async ({ page }: Visitor, certificate: { longToken: string }) => {
  await page.goto(`${service.url}/g#${certificate.longToken}`);
};

const quietAddress = async () => `${service.url}/g/quiet/${quietToken(keys, await gifts.read(await gifts.order()))}`;

const states: Record<string, State> = {
  start: ['You have a gift to open', async ({ page }) => void (await page.goto(`${service.url}/g`))],
  'not found': ['Gift not found', async ({ page }) => void (await page.goto(`${service.url}/g#cut-sho`))],
  expired: [
    'This gift expired on',
    async (visitor) => {
      const certificate = await gifts.order();
      await gifts.advance(32 * 86_400);
      await atLink(visitor, certificate);
    },
  ],
  cancelled: [
    'Northwind Labs cancelled this gift',
    async (visitor) => {
      const certificate = await gifts.order();
      await gifts.move(certificate, 'CANCELLED');
      await atLink(visitor, certificate);
    },
  ],
  'code asked': [
    'One more step',
    async (visitor) => {
      await gifts.set('code_above = 20');
      await atLink(visitor, await gifts.order());
      await visitor.page.getByRole('button', { name: 'Open your gift' }).click();
      await visitor.page.getByRole('button', { name: 'Claim your gift' }).click();
      await visitor.page.getByLabel('Verification code').fill('000 000');
      await visitor.page.getByRole('button', { name: 'Claim your gift' }).click();
      await seen(visitor.page.getByRole('alert'));
      await gifts.set('code_above = null');
    },
  ],
  'no mail': [
    'We cannot email you a verification code',
    async (visitor) => {
      await gifts.set('code_above = 20');
      await atLink(visitor, await gifts.order({ recipient: { employeeNumber: '4711', firstName: 'Mei' } }));
      await visitor.page.getByRole('button', { name: 'Open your gift' }).click();
      await visitor.page.getByRole('button', { name: 'Claim your gift' }).click();
      await seen(visitor.page.getByRole('link', { name: 'Write to Northwind Labs' }));
      await gifts.set('code_above = null');
    },
  ],
  quiet: ['Stop reminders?', async ({ page }) => void (await page.goto(await quietAddress()))],
  'quiet done': [
    'Reminders stopped',
    async ({ page }) => {
      await page.goto(await quietAddress());
      await page.getByRole('button', { name: 'Stop reminders' }).click();
    },
  ],
  'no page': ['Page not found', async ({ page }) => void (await page.goto(`${service.url}/g/nothing`))],
};

for (const [name, [title, show]] of Object.entries(states))
  test(`${name}: says what it is, and axe finds nothing serious`, needsBrowser, async () => {
    const visitor = await openVisitor(service.url, { viewport: { width: 360, height: 640 } });
    await show(visitor);
    await seen(visitor.page.getByRole('heading', { level: 1, name: title }));
    await visitor.checkAccess(name);
    assert.deepEqual(visitor.faults, []);
  });

for (const colour of ['#0F5C5C', '#F5C518', '#111111', '#767676'])
  test(`a company's ${colour} is shown, and text on it can be read`, needsBrowser, async () => {
    const certificate = await gifts.order();
    await gifts.set(`brand_colour = '${colour}'`);
    const visitor = await openVisitor(service.url);
    await atLink(visitor, certificate);
    await visitor.page.getByRole('button', { name: 'Open your gift' }).click();
    await seen(visitor.page.getByRole('button', { name: 'Claim your gift' }));
    const shown = `getComputedStyle(document.documentElement).getPropertyValue('--brand').trim()`;
    assert.equal(await visitor.page.evaluate(shown), colour);
    await visitor.checkAccess(colour);
    assert.deepEqual(visitor.faults, []);
    await gifts.set('brand_colour = null');
  });
