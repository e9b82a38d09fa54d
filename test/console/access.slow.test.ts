import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addMembers } from '../../src/company/directory/save.ts';
import { inWorkspace } from '../../src/company/workspaces/lock.ts';
import { needsBrowser, openVisitor, seen } from '../support/browser.ts';
import { openConsole } from '../support/console.ts';
import { startService } from '../support/service.ts';
import { addUser, signIn } from '../support/sign-in.ts';

const service = await startService();

test('an owner lets somebody in, whose link signs them in; the last owner stays one', needsBrowser, async () => {
  const { page, open, done } = await openConsole(service, { name: 'Ada Okafor' });
  await open('/settings/people');
  await page.getByRole('button', { name: 'Add user' }).click();
  const form = page.getByRole('dialog');
  await form.getByLabel('Email').fill('ida@example.com');
  await form.getByLabel('Name').fill('Ida Brandt');
  await form.getByRole('radio', { name: /^Auditor/ }).check();
  await form.getByRole('button', { name: 'Add user' }).click();
  const link = await page.getByRole('textbox', { name: 'Link', exact: true }).inputValue();
  await page.getByRole('button', { name: 'Done' }).click();
  await seen(page.getByRole('row', { name: /Ida Brandt.*Auditor.*Never/ }));

  await page.getByRole('button', { name: 'Actions for Ada Okafor' }).click();
  await page.getByRole('menuitem', { name: 'Change role' }).click();
  await page.getByRole('radio', { name: /^Approver/ }).check();
  await page.getByRole('button', { name: 'Save' }).click();
  await seen(page.getByRole('alert').getByText('This is the last owner of the workspace'));
  await page.getByRole('button', { name: 'Cancel' }).click();
  await done('the people who sign in');

  const ida = await openVisitor(service.url);
  await ida.page.goto(link);
  await ida.page.getByRole('button', { name: 'Sign in' }).click();
  await seen(ida.page.getByRole('navigation', { name: 'Main' }));
  await ida.page.goto(`${service.url}/w/${service.workspaceId}/settings/people`);
  await seen(ida.page.getByRole('row', { name: /Ida Brandt \(you\)/ }));
  assert.equal(await ida.page.getByRole('button', { name: 'Add user' }).count(), 0);
  assert.equal(await ida.page.getByRole('button', { name: /^Actions for/ }).count(), 0);
});

test('an owner links a user to their person', needsBrowser, async () => {
  const { page, open, done } = await openConsole(service, { name: 'Ada Okafor' });
  await addUser(service, { email: 'cleo@example.com', name: 'Cleo Ray', role: 'AUDITOR' });
  await inWorkspace(service.database, service.workspaceId, (tx) =>
    addMembers(tx, service.workspaceId, [{ email: 'c.ray@example.com', firstName: 'Cleo' }]),
  );
  await open('/settings/people');
  await seen(page.getByRole('row', { name: /Cleo Ray.*No linked person/ }));
  await page.getByRole('button', { name: 'Actions for Cleo Ray' }).click();
  await page.getByRole('menuitem', { name: 'Change role' }).click();
  await page.getByLabel('Linked person').fill('c.ray@example.com');
  await page.getByRole('button', { name: 'Save' }).click();
  await seen(page.getByRole('row', { name: /Cleo Ray(?!.*No linked person)/ }));
  await done('a linked user');
});

test('a token is made, shown once, works, and is revoked', needsBrowser, async () => {
  const { page, open, done } = await openConsole(service, { name: 'Ada Okafor' });
  await open('/integrations/tokens');
  await page.getByRole('button', { name: 'Create token' }).click();
  await page.getByLabel('Name').fill('HR system');
  await page.getByRole('dialog').getByRole('button', { name: 'Create token' }).click();
  const token = await page.getByLabel('Token', { exact: true }).inputValue();
  assert.match(token, /^gw_test_/);
  await page.getByRole('button', { name: 'I have copied it' }).click();
  assert.equal((await service.call('/api/v1/members', { token })).status, 200);
  assert.equal((await service.call('/api/v1/users', { token, method: 'POST', body: {} })).status, 403);

  await page.getByRole('button', { name: 'Actions for HR system' }).click();
  await page.getByRole('menuitem', { name: 'Revoke' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await seen(page.getByRole('row', { name: /HR system.*Revoked/ }));
  assert.equal((await service.call('/api/v1/members', { token })).status, 401);
  await done('the tokens');
});

test('the audit log says who did that, and the filters are its address', needsBrowser, async () => {
  const { page, open, done } = await openConsole(service, { role: 'AUDITOR', name: 'Max Weber', width: 360 });
  await open('/settings/audit?action=token');
  await seen(page.getByRole('listitem').filter({ hasText: /Ada Okafor.*revoked a token.*HR system/ }));
  assert.equal(await page.getByText('signed in').count(), 0);
  await done('the audit log');
  await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'CSV' }).click()]);
  await open('/settings/audit?action=file');
  await seen(page.getByRole('listitem').filter({ hasText: /Max Weber downloaded a file.*audit-log\.csv/ }));
  await page.getByRole('combobox', { name: 'Who' }).fill('Ada');
  await page.getByRole('option', { name: 'Ada Okafor' }).click();
  await seen(page.getByRole('heading', { name: 'No entries found' }));
  await open('/settings/audit');
  await page.getByRole('combobox', { name: 'Who' }).fill('Ada');
  await page.getByRole('option', { name: 'Ada Okafor' }).click();
  await page.waitForURL(/actor=USER-\d+/);
  await seen(page.getByRole('listitem').filter({ hasText: /Ada Okafor.*revoked a token.*HR system/ }));
  assert.equal(await page.getByRole('listitem').filter({ hasText: 'Max Weber' }).count(), 0);
  await open('/settings/audit?from=2020-01-01&to=2020-01-02');
  await seen(page.getByRole('heading', { name: 'No entries found' }));
  await done('an audit log without entries');
});

test('a person chooses a password and ends the session of another browser', needsBrowser, async () => {
  const joining = { role: 'APPROVER', email: 'grace@example.com', name: 'Grace' } as const;
  const { page, open, done } = await openConsole(service, joining);
  const other = await signIn(service, joining);
  await open('/account');
  await page.getByRole('button', { name: /^Sign out/ }).click();
  await seen(page.getByRole('row', { name: /This browser/ }));
  await page.getByRole('button', { name: /^Sign out/ }).waitFor({ state: 'detached' });
  assert.equal((await other.call('/api/v1/me')).status, 401);

  await page.getByLabel('New password').fill('short');
  await page.getByRole('button', { name: 'Save password' }).click();
  await seen(page.getByText('Must have 12 to 200 characters'));
  await done('a password that is too short');
  await page.getByLabel('New password').fill('one wire, one bow');
  await page.getByRole('button', { name: 'Save password' }).click();
  await seen(page.getByText('Password saved.'));
});
