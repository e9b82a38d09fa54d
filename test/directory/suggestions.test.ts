import assert from 'node:assert/strict';
import { test } from 'node:test';
import { suggestMembers } from '../../src/company/directory/suggest.ts';
import type { MemberSuggestion } from '../../src/ground/contract/member.ts';
import { startService } from '../support/service.ts';
import { openWorkspace, refusal } from '../support/workspace.ts';

const service = await startService();
const workspace = await openWorkspace(service, {
  people: [
    { email: 'grace.okafor@example.com', firstName: 'Grace', lastName: 'Okafor', employeeNumber: '1007' },
    { email: 'jean-luc@example.com', firstName: 'Jean-Luc', lastName: 'Ng', employeeNumber: 'B 12' },
    { email: 'okan@example.com', firstName: 'Okan', lastName: 'Grün' },
    { firstName: '100% Cotton', lastName: '_', employeeNumber: '10070' },
    { email: 'gone@example.com', firstName: 'Grace', lastName: 'Gone', active: false },
  ],
});

async function suggested(search: string, more = ''): Promise<string[]> {
  const path = `/api/v1/members/suggestions?search=${encodeURIComponent(search)}${more}`;
  const { members } = await workspace.read<{ members: MemberSuggestion[] }>(path);
  return members.map(({ firstName }) => firstName);
}

test('names, addresses and numbers are found by their beginnings, from the first letter on', async () => {
  assert.deepEqual(await suggested('g'), ['Grace', 'Okan']);
  assert.deepEqual(await suggested('GRÜ'), ['Okan']);
  assert.deepEqual(await suggested('ok'), ['Grace', 'Okan']);
  assert.deepEqual(await suggested('oka gr'), ['Grace', 'Okan']);
  assert.deepEqual(await suggested('grace oka'), ['Grace']);
  assert.deepEqual(await suggested('grace.okafor@'), ['Grace']);
});

test('the exact number or address comes first, then beginnings, then other places', async () => {
  assert.deepEqual(await suggested('1007'), ['Grace', '100% Cotton']);
  assert.deepEqual(await suggested('B 12'), ['Jean-Luc']);
  assert.deepEqual(await suggested('luc'), ['Jean-Luc']);
  assert.deepEqual(await suggested('uc'), []);
  assert.deepEqual(await suggested('example'), ['100% Cotton', 'Grace', 'Jean-Luc', 'Okan'].slice(1));
});

test('nobody who has left is suggested, and special characters are only characters', async () => {
  assert.deepEqual(await suggested('gone'), []);
  assert.deepEqual(await suggested('gone@example.com'), []);
  assert.deepEqual(await suggested('100%'), ['100% Cotton']);
  assert.deepEqual(await suggested('%'), []);
  assert.deepEqual(await suggested('   '), []);
});

test('a suggestion says enough to choose by, and when the person was recognized last', async () => {
  await workspace.gift({ email: 'okan@example.com' });
  const { members } = await workspace.read<{ members: MemberSuggestion[] }>('/api/v1/members/suggestions?search=okan');
  assert.deepEqual(members, [
    {
      id: workspace.memberIds[2],
      email: 'okan@example.com',
      employeeNumber: null,
      firstName: 'Okan',
      lastName: 'Grün',
      department: null,
      location: null,
      currency: null,
      avatar: null,
      lastRecognizedOn: new Date().toISOString().slice(0, 10),
    },
  ]);
});

test('as many as asked for, of one workspace', async () => {
  assert.deepEqual(await suggested('o', '&size=1'), ['Grace']);
  const other = await openWorkspace(service, { people: [{ firstName: 'Grace' }] });
  const { members } = await other.read<{ members: MemberSuggestion[] }>('/api/v1/members/suggestions?search=gr');
  assert.deepEqual(
    members.map(({ id }) => id),
    other.memberIds,
  );
  for (const query of ['', '?search=', '?search=a&size=21', '?search=a&q=1'])
    refusal(await workspace.call(`/api/v1/members/suggestions${query}`), 400);
});

test('managers are suggested their own reports, direct and indirect', async () => {
  const company = await openWorkspace(service, {
    people: ['Ann', 'Anna', 'Annie', 'Anton'].map((firstName) => ({ firstName })),
  });
  const [ann, anna, annie] = company.memberIds as [number, number, number];
  await company.change(anna, { managerId: ann });
  await company.change(annie, { managerId: anna });
  const seen = { workspaceId: company.id, onlyReportsOf: ann };
  const found = await suggestMembers(service.database, seen, { search: 'an', size: 8 });
  assert.deepEqual(
    found.map(({ firstName }) => firstName),
    ['Anna', 'Annie'],
  );
});
