import assert from 'node:assert/strict';
import type { Giftwire } from '@giftwire/sdk';

export async function useCustomFields({ customFields, members }: Giftwire): Promise<void> {
  const field = await customFields.create({ key: 'shirtSize', label: 'Shirt', kind: 'CHOICE', choices: ['M'] });
  const changed = await customFields.update('shirtSize', { label: 'Shirt size' });
  assert.deepEqual({ ...changed }, { ...field, label: 'Shirt size', people: 0 });
  assert.deepEqual(await customFields.retrieve('shirtSize'), changed);
  const { custom } = await members.create({ email: 'shirt@example.com', custom: { shirtSize: 'M' } });
  assert.deepEqual(custom, { shirtSize: 'M' });
  assert.deepEqual(await customFields.list(), [{ ...field, label: 'Shirt size' }]);
  assert.equal(await customFields.delete('shirtSize'), undefined);
  assert.deepEqual(await customFields.list(), []);
}

export async function useRules({ rules }: Giftwire): Promise<void> {
  const large = { name: 'Large', measure: 'GIFT', currency: 'CAD', above: 5_000 } as const;
  const { id } = await rules.create({ ...large, outcome: 'REJECT', message: 'Too much.' });
  assert.equal((await rules.update(id, { above: 6_000 })).above, 6_000);
  assert.deepEqual(await rules.list(), [await rules.retrieve(id)]);
  assert.equal(await rules.delete(id), undefined);
}

/** No order waits in the workspace. A token reads, and only people who have signed in decide and name deputies. */
export async function useApprovals({ approvals }: Giftwire): Promise<void> {
  const requestId = '019a8453-5d3e-7c1e-9b0a-2f1d6b3c4e5f';
  assert.equal((await approvals.list({ state: 'DECLINED' })).totalElements, 0);
  await assert.rejects(approvals.retrieve(requestId), { status: 404 });
  await assert.rejects(approvals.decide({ requestIds: [requestId], decision: 'APPROVED' }), { status: 403 });
  const deputy = { memberId: 1, from: '2026-12-20', to: '2027-01-06' };
  await assert.rejects(approvals.updateDeputy(deputy), { status: 403 });
  await assert.rejects(approvals.deputy(), { status: 404 });
  await assert.rejects(approvals.deleteDeputy(), { status: 403 });
}

export async function useUsers({ users }: Giftwire): Promise<void> {
  const { id, link } = await users.create({ email: 'ida@example.com', name: 'Ida', role: 'AUDITOR' });
  assert.match(link ?? '', /\/sign-in#gwl_test_/);
  assert.deepEqual(
    (await users.list({ role: 'AUDITOR' })).users.map((user) => user.id),
    [id],
  );
  const changed = await users.update(id, { role: 'APPROVER' });
  assert.deepEqual([changed.role, await users.retrieve(id)], ['APPROVER', changed]);
  assert.match((await users.createLink(id)).link, /#gwl_test_/);
  await users.endSessions(id);
  await users.delete(id);
  assert.deepEqual((await users.list()).users, []);
}

export async function useUndos({ undos }: Giftwire): Promise<void> {
  const [latest] = await undos.list();
  assert.equal((await undos.undo(latest?.id as string)).id, latest?.id);
  assert.ok((await undos.list()).every(({ id }) => id !== latest?.id));
}
