import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ShoutoutPage } from '../../src/ground/contract/shoutout.ts';
import { openGate } from '../support/approvals.ts';
import { needsBrowser, seen } from '../support/browser.ts';
import { openConsole } from '../support/console.ts';
import { eventually } from '../support/eventually.ts';
import { aGift } from '../support/orders.ts';
import { startService } from '../support/service.ts';
import { aShoutout, openWorkspace } from '../support/workspace.ts';

const service = await startService();
const ingrid = { email: 'ingrid@example.com', firstName: 'Ingrid', lastName: 'Solberg' };
const lucie = { role: 'APPROVER', email: 'lucie@example.com' } as const;
const owner = { role: 'OWNER', email: 'owner@example.com' } as const;
const people = [
  { email: 'ada@example.com', firstName: 'Ada', lastName: 'Okafor' },
  { email: 'mei@example.com', firstName: 'Mei', lastName: 'Tanaka' },
];

test(
  'an approver declines a gift, which takes a comment, and the order shows who decided and why',
  needsBrowser,
  async () => {
    const gate = await openGate(service);
    const [first, second] = [400, 150].map((amount) => [aGift({ amount, recipient: ingrid })]);
    const requestId = await gate.send(null, { note: 'Two nights alone', orderItems: first });
    await gate.send(null, { orderItems: second });
    const { page, open, done } = await openConsole(service, { workspace: gate.workspace.id, ...lucie });
    await open('/approvals');
    await seen(page.getByRole('heading', { level: 1, name: '2 pending approvals' }));
    const row = page.getByRole('listitem').filter({ hasText: 'CA$400.00' });
    for (const text of ['Two nights alone', 'Large gifts', 'Asked: you or Elena Brandt', '1 gift'])
      await seen(row.getByText(text));
    await done('the list');
    await row.getByRole('button', { name: 'Decline: CA$400.00 for Ingrid Solberg' }).click();
    const dialog = page.getByRole('dialog', { name: 'Decline CA$400.00 for Ingrid Solberg?' });
    await dialog.getByRole('button', { name: 'Decline' }).click();
    await seen(dialog.getByText('Write a comment'));
    await dialog.getByRole('textbox').fill('Please send 250.00 at most.');
    await done('the question');
    await dialog.getByRole('button', { name: 'Decline' }).click();
    await seen(page.getByText('Declined: CA$400.00 for Ingrid Solberg.'));
    await page.getByRole('button', { name: 'Approve: CA$150.00 for Ingrid Solberg' }).click();
    await seen(page.getByText('No approvals wait for you'));
    await page.getByRole('tab', { name: 'Decided' }).click();
    await seen(page.getByText('Approved by Lucie Gagnon'));
    await page.getByText('Declined', { exact: true }).click();
    await seen(page.getByText('Please send 250.00 at most.'));
    await done('what was decided');
    const other = await openConsole(service, { workspace: gate.workspace.id, ...owner });
    await other.open(`/orders/${requestId}`);
    await seen(other.page.getByRole('figure').getByText('Declined by Lucie Gagnon'));
    await seen(other.page.getByText('Please send 250.00 at most.'));
    await seen(other.page.getByRole('button', { name: 'Ask again' }));
    await other.done('a declined order');
  },
);

test(
  'an order shows whom it waits for, and the approver decides on its own page with a comment',
  needsBrowser,
  async () => {
    const asking = (role: 'APPROVER' | 'OWNER') => ({ approvers: [{ is: 'ROLE' as const, role }] });
    const gate = await openGate(service, [{ levels: [asking('APPROVER'), asking('OWNER')] }]);
    const requestId = await gate.send(null, { orderItems: [aGift({ amount: 400, recipient: ingrid })] });
    const { page, open, done } = await openConsole(service, { workspace: gate.workspace.id, ...owner });
    await open(`/orders/${requestId}`);
    await seen(page.getByRole('list', { name: 'Progress' }).getByText('Waiting for Elena Brandt or Lucie Gagnon'));
    await seen(page.getByText('The next level is asked'));
    assert.equal(await page.getByRole('button', { name: 'Approve' }).count(), 0);
    await done('an order that waits');
    const approver = await openConsole(service, { workspace: gate.workspace.id, ...lucie, width: 360 });
    await approver.open(`/approvals/${requestId}`);
    await approver.page.getByLabel('Comment for').fill('Well deserved.');
    await approver.page.getByRole('button', { name: 'Approve and ask the next level' }).click();
    await seen(approver.page.getByText('Approved: CA$400.00 for Ingrid Solberg. The next level is asked.'));
    await seen(approver.page.getByText('Waiting for Olga Owner'));
    await approver.done('the page of an approval');
    await open('/');
    const task = page.getByRole('list', { name: 'Needs attention' });
    await seen(task.getByText('1 approval waits for you'));
    await task.getByRole('link', { name: 'wants to give Ingrid Solberg a gift' }).click();
    await seen(page.getByText('Well deserved.'));
    await page.getByRole('button', { name: 'Approve', exact: true }).click();
    await seen(page.getByText('Approved by Olga Owner'));
  },
);

test(
  'an approver whom another one came before reads who decided, and that nothing is left to do',
  needsBrowser,
  async () => {
    const gate = await openGate(service);
    const requestId = await gate.send(null, { orderItems: [aGift({ amount: 400, recipient: ingrid })] });
    const { page, open, done } = await openConsole(service, { workspace: gate.workspace.id, ...lucie });
    await open('/approvals');
    const approve = page.getByRole('button', { name: /^Approve/ });
    await seen(approve);
    await gate.decided(gate.users.elena, requestId, 'DECLINED', 'Not this month.');
    await approve.click();
    const notice = page.getByRole('status').filter({ hasText: 'CA$400.00 for Ingrid Solberg' });
    await seen(notice.getByText('Elena Brandt declined it'));
    await seen(notice.getByText('You do not need to do anything.'));
    await done('a decision that came too late');
    await notice.getByRole('link', { name: 'See details' }).click();
    await seen(page.getByText('Not this month.'));
  },
);

test('the orders of one file are one row and one decision, in the list and on its page', needsBrowser, async () => {
  const gate = await openGate(service);
  const batch = { id: 'year-end', orders: 2, name: 'year-end.csv' };
  const orderItems = [1, 2].map((nth) => aGift({ amount: 150, recipient: { email: `p${nth}@example.com` } }));
  const first = await gate.send(null, { orderItems, batch });
  await gate.send(null, { orderItems, batch });
  await eventually(
    () => gate.listed(gate.users.lucie),
    ({ totalElements }) => totalElements === 1,
  );
  const owned = await openConsole(service, { workspace: gate.workspace.id, ...owner });
  await owned.open(`/approvals/${first}`);
  await seen(owned.page.getByRole('heading', { name: '4 gifts, CA$600.00' }));
  await seen(owned.page.getByRole('link', { name: 'Order 2' }));
  await owned.done('the page of a file that waits');
  const { page, open } = await openConsole(service, { workspace: gate.workspace.id, ...lucie });
  await open('/approvals');
  await seen(page.getByText('asks for 4 gifts in 2 orders'));
  await seen(page.getByText('year-end.csv'));
  await page.getByRole('button', { name: 'Approve: 4 gifts, CA$600.00' }).click();
  const dialog = page.getByRole('dialog', { name: 'Approve 4 gifts, CA$600.00?' });
  await dialog.getByRole('button', { name: 'Approve' }).click();
  await seen(page.getByText('No approvals wait for you'));
  assert.equal((await gate.listed(gate.users.lucie, '?state=APPROVED')).totalElements, 1);
});

test('shoutouts are in the same list: one click approves, and declining asks why', needsBrowser, async () => {
  const workspace = await openWorkspace(service, { people, asksForApproval: true });
  for (const message of ['First words', 'Second words'])
    await workspace.give(aShoutout({ recipient: { email: 'mei@example.com' }, message }));
  const { page, open, done } = await openConsole(service, { workspace: workspace.id, role: 'APPROVER' });
  await open('/approvals');
  await seen(page.getByRole('tab', { name: 'Waiting for you (2)' }));
  const row = (text: string) => page.getByRole('listitem').filter({ hasText: text });
  await row('First words')
    .getByRole('button', { name: /^Approve/ })
    .click();
  await seen(page.getByRole('tab', { name: 'Waiting for you (1)' }));
  await row('Second words')
    .getByRole('button', { name: /^Decline/ })
    .click();
  const dialog = page.getByRole('dialog', { name: 'Decline this shoutout?' });
  await dialog.getByLabel('Reason').fill('Please name the project.');
  await done('the question');
  await dialog.getByRole('button', { name: 'Decline' }).click();
  await seen(page.getByText('No approvals wait for you'));
  await open('/recognition?view=declined');
  await seen(page.getByText('Please name the project.'));
  const { shoutouts } = await workspace.read<ShoutoutPage>('/api/v1/shoutouts?status=DECLINED');
  assert.equal(shoutouts[0]?.decisionReason, 'Please name the project.');
});

test('of a shoutout that another approver has decided meanwhile, the list says so', needsBrowser, async () => {
  const workspace = await openWorkspace(service, { people, asksForApproval: true });
  const { body } = await workspace.give(aShoutout({ recipient: { email: 'mei@example.com' }, message: 'Late words' }));
  const { page, open } = await openConsole(service, { workspace: workspace.id, role: 'APPROVER' });
  await open('/approvals');
  const approve = page.getByRole('button', { name: /^Approve/ });
  await seen(approve);
  await workspace.decide(body.id, 'decline');
  await approve.click();
  await seen(page.getByRole('status').getByText('declined it'));
  await seen(page.getByText('No approvals wait for you'));
});
