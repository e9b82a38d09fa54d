import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { GiftPage } from '../../src/ground/contract/gift.ts';
import type { MemberPage } from '../../src/ground/contract/member.ts';
import { startService } from '../support/service.ts';
import { signIn } from '../support/sign-in.ts';
import { openWorkspace } from '../support/workspace.ts';

const service = await startService();
const workspace = await openWorkspace(service, {
  people: ['max', 'ada', 'li', 'ida'].map((name) => ({ email: `${name}@example.com`, firstName: name })),
});
const [max = 0, ada = 0, li = 0, ida = 0] = workspace.memberIds;
// Ada reports to Max, and Li to Ada. Ida reports to nobody.
await workspace.change(ada, { managerId: max });
await workspace.change(li, { managerId: ada });
await workspace.gift({ email: 'ada@example.com' }, { email: 'li@example.com' }, { email: 'ida@example.com' });
const all = (await workspace.read<GiftPage>('/api/v1/gifts')).gifts;
const giftOf = (member: number) => all.find(({ recipient }) => recipient.id === member)?.id;
const manager = await signIn(service, {
  role: 'MANAGER',
  email: 'max@example.com',
  name: 'Max',
  workspace: workspace.id,
});

test('a manager sees the people below them and their gifts, and nobody else', async () => {
  const { members } = (await manager.call<MemberPage>('/api/v1/members')).body;
  assert.deepEqual(
    members.map(({ id }) => id),
    [ada, li],
  );
  const { gifts } = (await manager.call<GiftPage>('/api/v1/gifts')).body;
  assert.deepEqual(new Set(gifts.map(({ recipient }) => recipient.id)), new Set([ada, li]));
  for (const [search, found] of [
    ['li', [li]],
    ['ida', []],
  ] as const) {
    const page = (await manager.call<GiftPage>(`/api/v1/gifts?search=${search}`)).body;
    assert.deepEqual(
      page.gifts.map(({ recipient }) => recipient.id),
      found,
      search,
    );
  }
  assert.deepEqual((await manager.call<GiftPage>(`/api/v1/gifts?member=${ida}`)).body.gifts, []);
});

test('one person and one gift are found only below the manager', async () => {
  for (const [path, status] of [
    [`/api/v1/members/${li}`, 200],
    [`/api/v1/members/${li}/activities`, 200],
    [`/api/v1/gifts/${giftOf(li)}`, 200],
    [`/api/v1/members/${ida}`, 404],
    [`/api/v1/members/${ida}/activities`, 404],
    [`/api/v1/gifts/${giftOf(ida)}`, 404],
    ['/api/v1/orders', 403],
  ] as const)
    assert.equal((await manager.call(path)).status, status, path);
});

test('the gifts below a manager of very many people are found too', async () => {
  const crowd = Array.from({ length: 501 }, (_, n) => ({ email: `crowd.${n}@example.org`, managerId: li }));
  await workspace.addPeople(crowd);
  await workspace.gift({ email: 'crowd.400@example.org' });
  const { gifts } = (await manager.call<GiftPage>('/api/v1/gifts')).body;
  assert.deepEqual(
    gifts.map(({ address }) => address),
    ['crowd.400@example.org', 'li@example.com', 'ada@example.com'],
  );
});

test('the file of a manager has the gifts below them', async () => {
  const { body } = await manager.call<string>('/api/v1/gifts', { headers: { Accept: 'text/csv' } });
  assert.match(body, /ada@example\.com/);
  assert.doesNotMatch(body, /ida@example\.com/);
});
