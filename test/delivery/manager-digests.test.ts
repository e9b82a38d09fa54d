import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Preferences } from '../../src/ground/contract/preferences.ts';
import { openDigests, unsubscribeAddress } from '../support/digests.ts';
import { letIn } from '../support/employees.ts';
import { mailSettings } from '../support/mail-queue.ts';
import { startMailServer } from '../support/mail-server.ts';
import { startService } from '../support/service.ts';

const mailServer = await startMailServer();
const service = await startService(mailSettings(mailServer.url));

/** A manager, `boss`, and people who report to them. */
async function openTeam(names: string[], opening: Parameters<typeof openDigests>[3] = {}) {
  const team = await openDigests(service, mailServer, ['boss', 'peer', ...names], opening);
  const { workspace, named } = team;
  for (const name of names)
    await workspace.change(named(name).id, { managerId: named('boss').id, hireDate: '2020-03-02' });
  return { ...team, turnOn: (managerDigest = true) => letIn(service, { managerDigest }, workspace.id) };
}

test('a manager reads on the first day of a month which direct reports were not recognized in the month before', async () => {
  const { named, clock, send, mailTo, mailsTo, turnOn, workspace, addressOf } = await openTeam([
    'ana',
    'bo',
    'cy',
    'di',
  ]);
  await clock.toMonth();
  await send();
  assert.deepEqual(await mailsTo('boss'), [], 'off by default');
  await turnOn();
  await named('peer').give([named('ana').id]);
  await workspace.gift({ email: addressOf('bo') });
  await named('peer').give([named('cy').id], { isPrivate: true });
  await clock.toMonth();
  await send();
  const { subject, text = '' } = await mailTo('boss');
  assert.match(subject ?? '', /^2 of your people were not recognized in \w+ \d{4}$/);
  for (const [name, isListed] of [
    ['ana', false],
    ['bo', false],
    ['cy', true],
    ['di', true],
  ] as const)
    assert.equal(text.includes(named(name).name), isListed, name);
  assert.doesNotMatch(text, /\$|CAD/);
  assert.ok(text.includes(`/my/${workspace.id}/give`));
  await send();
  assert.equal((await mailsTo('boss')).length, 1);
});

test('a private shoutout of the manager counts for the manager', async () => {
  const { named, clock, send, mailsTo, turnOn, states } = await openTeam(['ed']);
  await turnOn();
  await clock.toMonth();
  await send();
  assert.equal((await mailsTo('boss')).length, 1);
  await named('boss').give([named('ed').id], { isPrivate: true });
  await clock.toMonth();
  await send();
  assert.equal((await mailsTo('boss')).length, 1);
  assert.deepEqual(
    (await states()).map(({ state }) => state),
    ['SENT', 'CANCELLED'],
  );
});

test('people who are kept out, on leave, new or gone are not named, and without anyone to name nothing is sent', async () => {
  const { named, clock, send, mailTo, mailsTo, turnOn, workspace } = await openTeam([
    'flo',
    'gil',
    'hana',
    'ivo',
    'jan',
  ]);
  await clock.toMonth();
  await turnOn();
  const today = await clock.today();
  await workspace.call(`/api/v1/members/${named('flo').id}/restriction`, { method: 'PUT', body: { reason: 'Asked.' } });
  await workspace.change(named('gil').id, {
    leaveStartsOn: `${today.slice(0, 7)}-10`,
    leaveEndsOn: `${today.slice(0, 7)}-12`,
  });
  await workspace.change(named('hana').id, { hireDate: `${today.slice(0, 7)}-05` });
  await workspace.call(`/api/v1/members/${named('ivo').id}/leave`, { method: 'POST', body: {} });
  await clock.toMonth();
  await send();
  const { text = '' } = await mailTo('boss');
  for (const name of ['flo', 'gil', 'hana', 'ivo']) assert.ok(!text.includes(named(name).name), name);
  assert.ok(text.includes(named('jan').name));
  await workspace.call(`/api/v1/members/${named('jan').id}/restriction`, { method: 'PUT', body: { reason: 'Asked.' } });
  await workspace.change(named('gil').id, { leaveEndsOn: null });
  await named('peer').give([named('hana').id]);
  await clock.toMonth();
  await send();
  assert.equal((await mailsTo('boss')).length, 1);
});

test('a manager unsubscribes with one click, and turns it on again in the preferences', async () => {
  const { named, clock, send, mailTo, mailsTo, turnOn } = await openTeam(['kai']);
  const { ask } = named('boss');
  const preferences = () => ask<Preferences>(200, '/me/preferences');
  const chosen = async () => {
    const { managerDigest, hasManagerDigest, digest } = await preferences();
    return { managerDigest, hasManagerDigest, digest };
  };
  assert.deepEqual(await chosen(), { managerDigest: true, hasManagerDigest: false, digest: false });
  await turnOn();
  assert.equal((await chosen()).hasManagerDigest, true);
  assert.equal((await named('kai').ask<Preferences>(200, '/me/preferences')).hasManagerDigest, false);
  await clock.toMonth();
  await send();
  const address = unsubscribeAddress(await mailTo('boss'));
  assert.match(await (await fetch(address)).text(), /monthly email about your direct reports/);
  assert.equal((await fetch(address, { method: 'POST' })).status, 200);
  assert.deepEqual(await chosen(), { managerDigest: false, hasManagerDigest: true, digest: false });
  await clock.toMonth();
  await send();
  assert.equal((await mailsTo('boss')).length, 1);
  await ask(200, '/me/preferences', 'PATCH', { managerDigest: true });
  await clock.toMonth();
  await send();
  assert.equal((await mailsTo('boss')).length, 2);
  await turnOn(false);
  await clock.toMonth();
  await send();
  assert.equal((await mailsTo('boss')).length, 2);
});

test('it goes out at eight of the manager’s time zone, in the manager’s language', async () => {
  const { clock, send, mailTo, mailsTo, turnOn } = await openTeam(['lou'], {
    fields: [{ timeZone: 'America/Vancouver', language: 'FR_CA' }],
  });
  await turnOn();
  await clock.toMonth('UTC');
  await send();
  assert.deepEqual(await mailsTo('boss'), []);
  await clock.passHours(8);
  await send();
  assert.match((await mailTo('boss')).text ?? '', /Sans remerciement en /);
});
