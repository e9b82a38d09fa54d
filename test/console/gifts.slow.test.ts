import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import type { GiftPage } from '../../src/ground/contract/gift.ts';
import { needsBrowser, seen } from '../support/browser.ts';
import { openConsole } from '../support/console.ts';
import { eventually } from '../support/eventually.ts';
import { startService } from '../support/service.ts';
import { openWorkspace } from '../support/workspace.ts';

const service = await startService({ mailServer: 'outbox' });

/** A workspace with gifts to these people, each with an outcome of its mail. */
async function withGifts(...recipients: object[]) {
  const workspace = await openWorkspace(service);
  await workspace.gift(...recipients);
  const list = async () => (await workspace.read<GiftPage>('/api/v1/gifts')).gifts;
  const gifts = await eventually(list, (all) =>
    all.every(({ delivery }) => delivery === 'SENT' || delivery === 'NO_ADDRESS'),
  );
  return {
    workspace,
    idOf: (name: string) => gifts.find(({ recipient }) => recipient.firstName === name)?.id as number,
  };
}

test(
  'a gift without an address is found, corrected in place, and its timeline says who did it',
  needsBrowser,
  async () => {
    const { workspace } = await withGifts(
      { employeeNumber: 'N-7', firstName: 'Nia', lastName: 'Evans' },
      { email: 'ada@example.com', firstName: 'Ada' },
    );
    const { page, open, done } = await openConsole(service, { workspace: workspace.id, name: 'Samir Marín' });
    await open('/gifts');
    await seen(page.getByRole('row', { name: /Ada.*Sent/ }));
    await seen(page.getByRole('row', { name: /Nia.*Issued.*No email address/ }));
    await page.getByRole('combobox', { name: 'Status' }).click();
    await page.getByRole('option', { name: 'No email address' }).click();
    await page.waitForURL(/delivery=NO_ADDRESS/);
    await seen(page.getByRole('link', { name: 'Nia Evans' }));
    assert.equal(await page.getByRole('link', { name: 'Ada' }).count(), 0);
    await done('the list of gifts');
    await page.getByRole('link', { name: 'Nia Evans' }).click();
    const fix = page.getByRole('region', { name: 'Nia Evans has no email address' });
    await fix.getByRole('textbox').fill('nia..evans@example.com');
    await fix.getByRole('button', { name: 'Send gift' }).click();
    await seen(fix.getByRole('alert').getByText(/must be an e-mail address/));
    await fix.getByRole('textbox').fill('nia@example.com');
    await fix.getByRole('button', { name: 'Send gift' }).click();
    await seen(page.getByText('Samir Marín corrected the address'));
    await seen(page.getByText('Sent to nia@example.com'));
    await done('one gift');
  },
);

test('several gifts are cancelled together, and each one that is not says why', needsBrowser, async () => {
  const { workspace, idOf } = await withGifts(
    { email: 'ada@example.com', firstName: 'Ada' },
    { email: 'li@example.com', firstName: 'Li' },
  );
  await service.database.query(
    `update certificates set state = 'CLAIMED', claimed_at = now() where workspace_id = $1 and id = $2`,
    [workspace.id, idOf('Li')],
  );
  const { page, open, done } = await openConsole(service, { workspace: workspace.id });
  await open('/gifts');
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
  await seen(page.getByRole('region', { name: 'Selection' }).getByText('2 gifts selected'));
  await page.getByRole('button', { name: 'Cancel 1 gift' }).click();
  const dialog = page.getByRole('dialog', { name: 'Cancel 1 gift?' });
  await seen(dialog.getByText('CA$25.00 returns to the budget. 1 claimed gift is not changed.'));
  await done('the question before many are cancelled');
  await dialog.getByRole('button', { name: 'Cancel 1 gift' }).click();
  await seen(page.getByRole('status', { name: 'Outcome' }).getByText('1 gift was not changed: it is claimed.'));
  await seen(page.getByRole('row', { name: /Ada.*Cancelled/ }));
  await seen(page.getByRole('row', { name: /Li.*Claimed/ }));
});

test('the list is a file, and an auditor is offered no repair', needsBrowser, async () => {
  const { workspace, idOf } = await withGifts({ email: 'ada@example.com', firstName: 'Ada' });
  const { page, open, done } = await openConsole(service, { workspace: workspace.id, role: 'AUDITOR' });
  await open('/gifts');
  await seen(page.getByRole('row', { name: /Ada/ }));
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'CSV' }).click()]);
  assert.match(await readFile(await file.path(), 'utf8'), /^\ufeffid,state,.*\n\d+,ISSUED,SENT,/);
  assert.equal(await page.getByRole('checkbox').count(), 0);
  await open(`/gifts/${idOf('Ada')}`);
  await seen(page.getByText('Payroll issued the gift'));
  assert.equal(await page.getByRole('button', { name: 'Resend' }).count(), 0);
  await open('/gifts?search=nobody');
  await seen(page.getByText('No gifts found'));
  await done('no gift fits');
});
