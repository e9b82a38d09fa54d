import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildConsole } from '../../src/console.ts';
import { needsBrowser, openVisitor } from '../support/browser.ts';
import { openConsole } from '../support/console.ts';
import { startService } from '../support/service.ts';
import { addUser } from '../support/sign-in.ts';

const service = await startService();
await buildConsole();

test('a link signs in when somebody presses the button, and once', needsBrowser, async () => {
  const { link } = await addUser(service, { name: 'Samir Marín' });
  const { page, faults, checkAccess } = await openVisitor(service.url);
  await page.goto(`${service.url}/sign-in#${link}`);
  await page.getByRole('heading', { name: 'Your sign-in link' }).waitFor();
  await checkAccess('the page of a link');
  assert.ok(!page.url().includes(link), 'the link stays in the history');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
  assert.match(page.url(), new RegExp(`/w/${service.workspaceId}/$`));

  await page.goto(`${service.url}/sign-in#${link}`);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('This link was used before or is older than 15 minutes.').waitFor();
  await checkAccess('a link that was used');
  assert.deepEqual(faults, []);
});

test('without a session every address asks to sign in, and signing out ends it', needsBrowser, async () => {
  const { page, open, done } = await openConsole(service);
  await open('/integrations');
  await page.getByRole('button', { name: 'Account menu' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await page.goto(`${service.url}/w/${service.workspaceId}/gifts`);
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await done('the sign-in page');
});
