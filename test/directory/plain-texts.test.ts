import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CoveragePage } from '../../src/ground/contract/coverage.ts';
import { plainText } from '../../src/ground/values/text.ts';
import { importAll } from '../support/imports.ts';
import { openWithScim } from '../support/scim.ts';
import { startService } from '../support/service.ts';
import { openWorkspace } from '../support/workspace.ts';

const service = await startService();

const composed = 'Santé';
const decomposed = 'Sante\u0301';
const withGap = 'San\u200bte\ufeff\u0301';

test('texts that look the same are the same, and joiners stay where they shape letters', () => {
  for (const text of [decomposed, withGap, `\u200d${composed}\u2060`, 'Sa\u200dnt\u00ade\u0301'])
    assert.equal(plainText(text), composed, JSON.stringify(text));
  for (const text of ['می\u200cخواهم', 'ශ\u200dරී', 'Plain', '日本']) assert.equal(plainText(text), text);
});

test('composed and decomposed accents are one department and one name, however they come', async () => {
  const { scim, workspace } = await openWithScim(service);
  await workspace.addPeople([{ email: 'a@example.com', department: composed, lastName: 'Beyoncé' }]);
  await workspace.call('/api/v1/members', {
    method: 'POST',
    body: { email: 'b@example.com', department: withGap, lastName: 'Beyonce\u0301' },
  });
  const file = `email,department,lastName\nc@example.com,${decomposed},Be\u200byonce\u0301\n`;
  await importAll(service.database, workspace.id, file);
  const again = await importAll(service.database, workspace.id, file);
  assert.deepEqual([again.changed, again.unchanged], [0, 1]);
  const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
  await scim.addUser({
    userName: 'd@example.com',
    name: { familyName: 'Beyonce\u0301' },
    [enterprise]: { department: decomposed },
  });
  const { groups } = await workspace.read<CoveragePage>('/api/v1/reports/coverage?by=department');
  assert.deepEqual(
    groups.map(({ name, people }) => [name, people]),
    [[composed, 4]],
  );
  for (const text of ['Beyoncé', 'Beyonce\u0301', 'beyonc\u200bé']) {
    const { members } = await workspace.members(`?search=${encodeURIComponent(text)}`);
    assert.deepEqual(new Set(members.map(({ lastName }) => lastName)), new Set(['Beyoncé']));
    assert.equal(members.length, 4, JSON.stringify(text));
    const suggested = await workspace.read<{ members: unknown[] }>(
      `/api/v1/members/suggestions?search=${encodeURIComponent(text)}`,
    );
    assert.equal(suggested.members.length, 4, JSON.stringify(text));
  }
  for (const text of [composed, decomposed, withGap])
    assert.equal((await workspace.members(`?department=${encodeURIComponent(text)}`)).members.length, 4);
});

test('names of people who are added by an order have the same form', async () => {
  const workspace = await openWorkspace(service);
  await workspace.gift({ email: 'eve@example.com', firstName: 'E\u0301ve' });
  assert.equal((await workspace.members('?search=éve')).members[0]?.firstName, 'Éve');
});

test('composed and decomposed accents are one team, however it comes', async () => {
  const { scim, workspace } = await openWithScim(service);
  const group = await scim.post('/Groups', { displayName: decomposed });
  assert.equal(group.body.displayName, composed);
  assert.equal((await scim.post('/Groups', { displayName: withGap })).status, 409);
  assert.equal((await scim.find('Groups', `displayName eq "${decomposed}"`)).length, 1);
  const body = { email: 'a@example.com', team: withGap };
  await workspace.call('/api/v1/members', { method: 'POST', body });
  const file = `email,team\nb@example.com,${decomposed}\n`;
  await importAll(service.database, workspace.id, file);
  assert.equal((await importAll(service.database, workspace.id, file)).unchanged, 1);
  const { members } = await workspace.members('');
  const teams = members.filter(({ email }) => email !== null).map(({ team }) => team);
  const one = { id: Number(group.body.id), name: composed };
  assert.deepEqual(teams, [one, one]);
  const path = `/api/v1/reports/members/not-recognized?team=${encodeURIComponent(withGap)}`;
  assert.equal((await workspace.read<{ members: unknown[] }>(path)).members.length, 2);
});
