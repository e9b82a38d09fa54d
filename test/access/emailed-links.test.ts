import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '../support/eventually.ts';
import { headerOf, parseMail, startMailServer } from '../support/mail-server.ts';
import { startService } from '../support/service.ts';
import { addUser, signIn, useLink } from '../support/sign-in.ts';

const mailServer = await startMailServer();
const service = await startService({ mailServer: mailServer.url, mailFrom: 'gifts@example.com' });

const ask = (email: string, on = service) =>
  fetch(`${on.url}/session/email`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Origin: on.url },
    body: JSON.stringify({ email }),
  });

/** The latest email to an address. */
const mailTo = async (address: string) => {
  const mail = mailServer.to(address).at(-1);
  return mail && parseMail(mail);
};

const linkIn = (text = '') => /\/sign-in#(\S+)/.exec(text)?.[1] ?? '';

test('a sign-in link is emailed to a known address, without tracking, and the response is the same for an unknown one', async () => {
  await addUser(service, { email: 'ada@example.com', name: 'Ada Okafor' });
  const responses = [await ask('Ada@example.com'), await ask('stranger@example.com')];
  const seen = await Promise.all(
    responses.map(async (one) => [
      one.status,
      await one.text(),
      [...one.headers.keys()].filter((name) => name !== 'date'),
    ]),
  );
  assert.deepEqual(seen[0], seen[1]);
  assert.equal(responses[0]?.status, 202);
  const mail = await eventually(() => mailTo('ada@example.com'));
  assert.match(mail?.subject ?? '', /^Sign in to Giftwire/);
  assert.equal(mail && headerOf(mail, 'x-pm-tracklinks'), 'None');
  assert.equal((await useLink(service.url, linkIn(mail?.text))).status, 204);
  assert.equal(await mailTo('stranger@example.com'), undefined);
});

test('links to one address are limited, known or not', async () => {
  for (const email of ['often@example.com', 'unknown@example.com']) {
    if (email.startsWith('often')) await addUser(service, { email });
    for (let nth = 0; nth < 3; nth++) assert.equal((await ask(email)).status, 202);
    const tooMany = await ask(email);
    assert.deepEqual([tooMany.status, tooMany.headers.has('Retry-After')], [429, true]);
  }
});

test('a user who is added gets an invitation by email, and the response says so', async () => {
  const owner = await signIn(service, { role: 'OWNER', name: 'Elena Brandt' });
  const body = { email: 'noah@example.com', name: 'Noah', role: 'AUDITOR' };
  const added = await owner.call<{ link: string; emailed: boolean }>('/api/v1/users', { method: 'POST', body });
  assert.deepEqual([added.status, added.body.emailed], [201, true]);
  const mail = await eventually(() => mailTo('noah@example.com'));
  assert.match(mail?.text ?? '', /^Elena Brandt added you to /);
  assert.equal(linkIn(mail?.text), linkIn(added.body.link));
  assert.match(mail?.text ?? '', /have a new link emailed to you at \S+\/sign-in/);
});

test('without a mail server nothing is emailed, and the sign-in page knows it', async () => {
  const silent = await startService({ mailServer: 'outbox' });
  assert.equal((await ask('ada@example.com', silent)).status, 404);
  const ways = async (on: typeof service) =>
    (await (await fetch(`${on.url}/session/ways`)).json()) as { email: boolean };
  assert.deepEqual([(await ways(silent)).email, (await ways(service)).email], [false, true]);
  const owner = await signIn(silent, { role: 'OWNER' });
  const body = { email: 'noah@example.com', name: 'Noah', role: 'AUDITOR' };
  const added = await owner.call<{ emailed: boolean }>('/api/v1/users', { method: 'POST', body });
  assert.equal(added.body.emailed, false);
});
