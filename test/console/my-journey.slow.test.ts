import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { needsBrowser, seen } from '../support/browser.ts';
import { addPerson, letIn, mailedLink } from '../support/employees.ts';
import { startMailServer } from '../support/mail-server.ts';
import { enterMy } from '../support/my.ts';
import { openRecipients } from '../support/own-gifts.ts';
import { startService } from '../support/service.ts';

const mails = await startMailServer();
const service = await startService({ mailServer: mails.url, mailFrom: 'gifts@example.com' });

/** What has the focus: its name, as far as the page says it in text. */
const focused = `(() => {
  const one = document.activeElement;
  if (!one.matches('a, button, input, textarea, select')) return '';
  const labels = [...(one.labels ?? [])].map((label) => label.textContent);
  return [one.getAttribute('aria-label'), ...labels, one.textContent].filter(Boolean).join(' ');
})()`;

/** A person without a mouse. */
function keyboardOf({ keyboard, evaluate }: Pick<Page, 'keyboard'> & { evaluate: (code: string) => Promise<unknown> }) {
  const reach = async (name: string) => {
    for (let at = 0; at < 80; at++) {
      if (String(await evaluate(focused)).includes(name)) return;
      await keyboard.press('Tab');
    }
    assert.fail(`${name} is not reached with Tab`);
  };
  return {
    async press(name: string, key = 'Enter') {
      await reach(name);
      await keyboard.press(key);
    },
    async type(name: string, text: string) {
      await reach(name);
      await keyboard.type(text);
    },
  };
}

const keysOf = (page: Page) =>
  keyboardOf({ keyboard: page.keyboard, evaluate: (code) => page.evaluate(code) as Promise<unknown> });

test(
  'an employee follows an emailed link, spends two gifts, thanks three colleagues, and one reads it and reacts: at 360 pixels, without a mouse',
  needsBrowser,
  async () => {
    const { workspace, opened, ada } = await openRecipients(service);
    await letIn(service, { access: 'ALL' }, workspace.id);
    for (const firstName of ['Ravi', 'Ingrid', 'Emeka'])
      await addPerson(
        service,
        { email: `${firstName.toLowerCase()}@example.com`, firstName, lastName: 'Lind' },
        workspace.id,
      );
    await opened([20, 75]);
    const enter = async (email: string) =>
      enterMy(service, await mailedLink(service, mails, email), { workspace: workspace.id });

    const sender = await enter('ada@example.com');
    const { press, type } = keysOf(sender.page);
    await seen(sender.page.getByText('CA$95.00'));
    await sender.done('my gifts');
    await press('Spend it');
    await seen(sender.page.getByLabel('How much?'));
    await type('How much?', '80');
    await seen(sender.page.getByText('With the next salary'));
    await press('With the next salary', 'Space');
    await press('See where it comes from');
    await seen(sender.page.getByRole('heading', { name: 'CA$80.00 from 2 gifts' }));
    await sender.done('where it comes from');
    await press('Spend CA$80.00');
    await seen(sender.page.getByRole('heading', { name: 'CA$80.00 is paid with your salary' }));
    await sender.done('what was spent');
    assert.equal(await ada.left(), 15);

    await sender.open('/give');
    await type('What did they do?', 'Forty pallets in the rain.');
    for (const name of ['Ravi', 'Ingrid', 'Emeka']) {
      await type('To', name);
      await seen(sender.page.getByRole('option', { name: new RegExp(name) }));
      await sender.page.keyboard.press('Enter');
      await seen(sender.page.getByRole('button', { name: `Remove ${name} Lind` }));
    }
    await press('Give shoutout to 3 people');
    await seen(sender.page.getByRole('heading', { name: /^Shoutout sent to/ }));
    await sender.done('a shoutout that was given');

    const receiver = await enter('ravi@example.com');
    await receiver.open('/feed');
    await seen(receiver.page.getByText('Forty pallets in the rain.'));
    await keysOf(receiver.page).press('Warm');
    await seen(receiver.page.getByRole('button', { name: 'Warm', pressed: true }));
    await receiver.done('the feed of a recipient');
    await sender.open('/feed');
    await seen(sender.page.getByText('Forty pallets in the rain.'));
    await seen(sender.page.getByRole('button', { name: /Warm/ }).filter({ hasText: '1' }));
  },
);
