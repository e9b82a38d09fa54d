import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anAutomation } from '../support/automations.ts';
import { whileBusy } from '../support/eventually.ts';
import { operationsOf, readDocument } from '../support/openapi.ts';
import { readIds, requestOf } from '../support/requests.ts';
import { startService } from '../support/service.ts';
import { signIn } from '../support/sign-in.ts';

const workspace = 1;
const service = await startService({ demo: true, mailServer: 'outbox' });
const { token } = await service.addToken({ workspaces: [workspace] });
const [ada, bob] = await service.database.query<{ id: number; email: string }>(
  `select id, email from members
    where workspace_id = $1 and email is not null and left_at is null and merged_into is null order by id limit 2`,
  [workspace],
);
const owner = await signIn(service, { workspace, email: ada?.email as string });
const document = await readDocument();
const changes = [...operationsOf(document).values()].filter(({ method }) => method === 'PATCH' || method === 'PUT');

/** Bodies that fit the demo company where the example of the document does not, and those with fields that the example lacks. */
const bodies: Record<string, object[]> = {
  changeBudget: [
    { giftLimit: 75 },
    { allowance: { amount: 10, every: 'MONTH' } },
    { allowance: { amount: 10, every: 'MONTH' }, giftLimit: 75, lowPercents: [25, 10] },
  ],
  changeUser: [{ role: 'APPROVER' }],
  restrictMember: [{ reason: 'Asked for it' }],
  placeHold: [{ reason: 'Case 2027-14' }],
  changeRetention: [{ changes: [{ kind: 'emails', days: 400 }] }, { changes: [{ kind: 'emails' }] }],
  changeReason: [{ description: 'Team spirit' }, { isDefault: true }],
  changeAutomation: [
    { hour: 9, state: 'ON' },
    { state: 'PAUSED', pauseNote: 'until May' },
  ],
  changePost: [{ isPrivate: true }],
  changeRule: [{ name: 'Renamed', isOn: false }, { above: 80 }],
  changeSettings: [{ name: 'Maple & Co', brandName: null, giftDays: 90, reminderDays: [3, 10] }],
};

async function send(operationId: string, body: object | undefined): Promise<void> {
  const operation = changes.find((one) => one.operationId === operationId);
  assert.ok(operation);
  const ids = { ...(await readIds(service.database, workspace)), posts: String(given.id) };
  const request = requestOf(document, operation, ids, body && { body });
  const { path, method, headers } = request;
  const call = { method, headers, ...(request.body !== null && { body: request.body }) };
  const { status, body: answer } = await whileBusy(() =>
    path.startsWith('/scim/') ? service.call(path, { ...call, token, workspace: null }) : owner.call(path, call),
  );
  assert.ok(status < 300, `${operationId}: ${status} ${JSON.stringify(answer)}`);
}

async function written(): Promise<unknown> {
  const sql = `
    select (select count(*)::int from audit_log where workspace_id = $1)              as audited,
           (select count(*)::int from events where workspace_id = $1)                 as events,
           (select count(*)::int from ledger_entries where workspace_id = $1)         as booked`;
  return (await service.database.query(sql, [workspace]))[0];
}

await service.call('/scim/v2/Groups', {
  method: 'POST',
  headers: { 'Content-Type': 'application/scim+json' },
  body: { schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'], displayName: 'Platform' },
  token,
  workspace: null,
});
await owner.call('/api/v1/webhooks', { method: 'POST', body: { url: 'https://93.184.215.14/hooks' } });

await owner.call('/api/v1/users', {
  method: 'POST',
  body: { email: 'second@example.com', name: 'Second', role: 'AUDITOR' },
});

await owner.call('/api/v1/custom-fields', {
  method: 'POST',
  body: { key: 'shirtSize', label: 'Shirt size', kind: 'CHOICE', choices: ['S', 'M'] },
});

await owner.call('/api/v1/rules', {
  method: 'POST',
  body: { name: 'Large', measure: 'GIFT', currency: 'CAD', above: 5_000, outcome: 'REJECT', message: 'Too much.' },
});
const post = { to: [{ memberId: bob?.id }], message: 'Thank you!' };
const { body: given } = await owner.call<{ id: number }>('/api/v1/feed/posts', { method: 'POST', body: post });
await owner.call(`/api/v1/feed/posts/${given.id}/comments`, { method: 'POST', body: { text: 'Well deserved.' } });
const { body: automation } = await owner.call<{ id: number }>('/api/v1/automations', {
  method: 'POST',
  body: anAutomation(),
});
await service.database.query(
  `insert into occurrences (workspace_id, automation_id, member_id, for_day, state, due_at, at)
   select $1, $2, max(id), '2030-01-01', 'ASKED', now(), now() from members where workspace_id = $1 and not is_integration`,
  [workspace, automation.id],
);
const { user: approver } = await signIn(service, { workspace, role: 'APPROVER', email: 'approver@example.com' });
const [actsAs] = await service.database.query<{ id: number }>(
  'select member_id as id from user_roles where workspace_id = $1 and user_id = $2',
  [workspace, approver.id],
);
bodies.nameDeputy = ['2027-01-06', '2027-01-07'].map((to) => ({ memberId: actsAs?.id, from: '2026-12-20', to }));

for (const { operationId, method } of changes)
  test(`${operationId} that changes nothing writes no audit entry and no event`, async () => {
    for (const body of bodies[operationId] ?? [undefined]) {
      await send(operationId, body);
      const before = await written();
      await send(operationId, body);
      assert.deepEqual(await written(), before, JSON.stringify(body));
    }
    // A comment has nothing but its text.
    if (method !== 'PATCH' || operationId.startsWith('scim') || operationId === 'changeComment') return;
    const before = await written();
    await send(operationId, {});
    assert.deepEqual(await written(), before, 'an empty change');
  });
