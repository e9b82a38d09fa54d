import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Preferences } from '../../src/ground/contract/preferences.ts';
import { needsBrowser, openVisitor, seen } from '../support/browser.ts';
import { openConsole } from '../support/console.ts';
import { openDigests, unsubscribeAddress } from '../support/digests.ts';
import { letIn } from '../support/employees.ts';
import { mailSettings } from '../support/mail-queue.ts';
import { startMailServer } from '../support/mail-server.ts';
import { openMy } from '../support/my.ts';
import { startService } from '../support/service.ts';

const mailServer = await startMailServer();
const service = await startService(mailSettings(mailServer.url));

test(
  'a manager turns the weekly email on and the monthly one off, and unsubscribes on a page',
  needsBrowser,
  async () => {
    const { workspace, named, clock, send, mailTo, addressOf } = await openDigests(service, mailServer, ['ada', 'ben']);
    await workspace.change(named('ben').id, { managerId: named('ada').id });
    await letIn(service, { managerDigest: true }, workspace.id);
    const { page, open, done } = await openMy(service, { workspace: workspace.id, email: addressOf('ada') });
    await open('/you');
    const [weekly, monthly] = ['Weekly email', 'Monthly email about my people'].map((name) =>
      page.getByRole('switch', { name }),
    );
    assert.deepEqual([await weekly?.isChecked(), await monthly?.isChecked()], [false, true]);
    await weekly?.click();
    await seen(page.getByRole('switch', { name: 'Weekly email', checked: true }));
    await monthly?.click();
    await seen(page.getByRole('switch', { name: 'Monthly email about my people', checked: false }));
    await done('the emails in the preferences');
    const chosen = () => named('ada').ask<Preferences>(200, '/me/preferences');
    const { digest, managerDigest } = await chosen();
    assert.deepEqual([digest, managerDigest], [true, false]);

    await named('ben').give([named('ada').id]);
    await clock.toMonday();
    await send();
    const visitor = await openVisitor(service.url, { viewport: { width: 360, height: 760 } });
    await visitor.page.goto(unsubscribeAddress(await mailTo('ada')));
    await seen(visitor.page.getByRole('heading', { name: 'Unsubscribe?' }));
    await visitor.checkAccess('the page to unsubscribe');
    await visitor.page.getByRole('button', { name: 'Unsubscribe' }).click();
    await seen(visitor.page.getByRole('heading', { name: 'You are unsubscribed' }));
    assert.equal((await chosen()).digest, false);
    assert.deepEqual(visitor.faults, []);
  },
);

test('the people team turns the monthly email to managers on', needsBrowser, async () => {
  const { workspace } = await openDigests(service, mailServer, ['cleo']);
  const { page, open, done } = await openConsole(service, { workspace: workspace.id });
  await open('/settings/employees');
  await page.getByRole('switch', { name: 'Monthly email to managers' }).click({ force: true });
  await page.getByRole('button', { name: 'Save' }).click();
  await seen(page.getByText('Access of employees saved.'));
  await done('the email to managers');
  const { managerDigest } = await workspace.read<{ managerDigest: boolean }>('/api/v1/settings/employees');
  assert.equal(managerDigest, true);
});
