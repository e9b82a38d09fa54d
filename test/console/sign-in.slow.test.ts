import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildConsole } from '../../src/console.ts';
import { needsBrowser, openVisitor, seen } from '../support/browser.ts';
import { openConsole } from '../support/console.ts';
import { eventually } from '../support/eventually.ts';
import { parseMail, startMailServer } from '../support/mail-server.ts';
import { startService } from '../support/service.ts';
import { addUser, signIn } from '../support/sign-in.ts';
import { openWorkspace } from '../support/workspace.ts';

const service = await startService();
await buildConsole();

test('a link signs in when somebody presses the button, and once', needsBrowser, async () => {
  const { link } = await addUser(service, { name: 'Samir Marín' });
  const { page, faults, checkAccess } = await openVisitor(service.url);
  await page.goto(`${service.url}/sign-in#${link}`);
  await seen(page.getByRole('heading', { name: 'Your sign-in link' }));
  await checkAccess('the page of a link');
  assert.ok(!page.url().includes(link), 'the link stays in the history');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await seen(page.getByRole('navigation', { name: 'Main' }));
  assert.match(page.url(), new RegExp(`/w/${service.workspaceId}/$`));

  await page.goto(`${service.url}/sign-in#${link}`);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await seen(page.getByText('This link has already been used, or it is older than 15 minutes.'));
  await checkAccess('a link that was used');
  assert.deepEqual(faults, []);
});

test('a password signs in, and a wrong one says what to do', needsBrowser, async () => {
  const email = 'lucie@example.com';
  const { call } = await signIn(service, { email });
  const password = 'one wire, one bow';
  assert.equal((await call('/api/v1/me/password', { method: 'POST', body: { password } })).status, 204);
  const { page, faults, checkAccess } = await openVisitor(service.url);
  await page.goto(`${service.url}/w/${service.workspaceId}/integrations`);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill('two wires, two bows');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await seen(page.getByText('Wrong email address or password.'));
  await checkAccess('a wrong password');
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await seen(page.getByRole('heading', { name: 'Webhooks', level: 1 }));
  assert.deepEqual(faults, []);
});

test('a provider that sends somebody back without a session says why', needsBrowser, async () => {
  const { page, faults, checkAccess } = await openVisitor(service.url);
  await page.goto(`${service.url}/sign-in?fault=forbidden`);
  await seen(page.getByText('You do not have access yet.'));
  await checkAccess('somebody who is not invited');
  assert.deepEqual(faults, []);
});

test('without a session every address asks to sign in, and signing out ends it', needsBrowser, async () => {
  const { page, open, done } = await openConsole(service);
  await open('/integrations');
  await page.getByRole('button', { name: 'Account menu' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await seen(page.getByRole('heading', { name: 'Sign in' }));
  await page.goto(`${service.url}/w/${service.workspaceId}/gifts`);
  await seen(page.getByRole('heading', { name: 'Sign in' }));
  await done('the sign-in page');
});

test('somebody else who signs in on the same page finds nothing of the person before', needsBrowser, async () => {
  const people = ['Mei', 'Jonas', 'Bo'].map((firstName) => ({ firstName, email: `${firstName}@example.com` }));
  const workspace = await openWorkspace(service, { people });
  const [, jonas = 0, bo = 0] = workspace.memberIds;
  await workspace.change(jonas, { managerId: bo });
  const manager = await signIn(service, { workspace: workspace.id, email: 'Bo@example.com', role: 'MANAGER' });
  const password = 'one wire, one bow';
  assert.equal((await manager.call('/api/v1/me/password', { method: 'POST', body: { password } })).status, 204);

  const { page, open, done } = await openConsole(service, { workspace: workspace.id });
  const go = (name: string) =>
    page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true }).click();
  const words = page.getByRole('textbox', { name: 'Message' });
  const isListed = (name: string) => page.getByRole('row').filter({ hasText: name });
  await open('/people');
  await seen(isListed('Mei'));
  await go('Send');
  await words.fill('For Mei alone');
  await page.context().clearCookies();
  // A request in the background may be refused first, and then there is no link to click.
  await page.evaluate(`document.querySelector('nav a[href$="/gifts"]')?.click()`);
  await page.getByRole('textbox', { name: 'Email' }).fill('Bo@example.com');
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await go('People');
  await seen(isListed('Jonas'));
  assert.equal(await isListed('Mei').count(), 0, 'a manager sees the list of an owner');
  await go('Send');
  await seen(words);
  assert.equal(await words.inputValue(), '', 'somebody else goes on with a gift');
  await done('the page of somebody else');
  await page.getByRole('button', { name: 'Account menu' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await seen(page.getByRole('heading', { name: 'Sign in' }));
  const kept = await page.evaluate<string>('Object.keys(sessionStorage).join()');
  assert.doesNotMatch(kept, /giftwire/, 'a gift is kept for people who signed out');
});

test('the sign-in page emails a link, and says the same for an unknown address', needsBrowser, async () => {
  const mailServer = await startMailServer();
  const mailing = await startService({ mailServer: mailServer.url, mailFrom: 'gifts@example.com' });
  await addUser(mailing, { email: 'ada@example.com' });
  const { page, done } = await openConsole(mailing);
  await page.context().clearCookies();
  await page.goto(`${mailing.url}/`);
  for (const email of ['ada@example.com', 'stranger@example.com']) {
    await page.getByRole('textbox', { name: 'Email' }).fill(email);
    await page.getByRole('button', { name: 'Email me a sign-in link' }).click();
    await seen(page.getByText(`If ${email} has access, a link is on its way. It works once, within 15 minutes.`));
  }
  await done('a sign-in link was emailed');
  const mail = await eventually(async () => mailServer.to('ada@example.com')[0]);
  const [link = ''] = /http\S+\/sign-in#\S+/.exec((await parseMail(mail)).text ?? '') ?? [];
  await page.goto(link);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await seen(page.getByRole('navigation', { name: 'Main' }));
  assert.equal(mailServer.to('stranger@example.com').length, 0);
});
