import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Overview } from '../../src/ground/contract/overview.ts';
import { startService } from '../support/service.ts';
import { openWorkspace } from '../support/workspace.ts';

// Emails in the outbox do not leave, so it is no mail server.
const service = await startService({ mailServer: 'outbox' });

test('the first steps follow from what is there, and are over with the first gift', async () => {
  const workspace = await openWorkspace(service);
  const steps = async () => (await workspace.read<Overview>('/api/v1/reports/overview')).firstSteps;
  const nothing = { brand: false, people: false, email: false, spendingOptions: false, budget: false };
  assert.deepEqual(await steps(), nothing);
  const send = async (method: string, path: string, body: object) => {
    const { status } = await service.call(`/api/v1${path}`, {
      token: workspace.token,
      workspace: workspace.id,
      method,
      body,
    });
    assert.ok(status < 300, `${method} ${path}: ${status}`);
  };
  await send('PATCH', '/settings', { colour: '#0F5C5C' });
  assert.deepEqual(await steps(), { ...nothing, brand: true });
  await send('POST', '/members', { email: 'mei@example.com' });
  assert.deepEqual(await steps(), { ...nothing, brand: true, people: true });
  await send('PUT', '/spending-options/charity', { kind: 'HAND', name: 'Charity' });
  await send('PATCH', '/settings', { mailsGifts: false });
  await send('POST', '/budgets', { currency: 'CAD', amount: 10_000 });
  const done = { brand: true, people: true, email: true, spendingOptions: true, budget: true };
  assert.deepEqual(await steps(), done);
  await workspace.gift({ email: 'mei@example.com' });
  assert.equal(await steps(), null);
  // Gifts of automations leave the list, until there are a hundred.
  const mark = (text: string | null) =>
    service.database.query('update order_requests set occasion = $2 where workspace_id = $1', [workspace.id, text]);
  await mark('BIRTHDAY');
  assert.deepEqual(await steps(), done);
  await workspace.gift(...Array.from({ length: 99 }, (_, nth) => ({ email: `person${nth}@example.com` })));
  await mark('BIRTHDAY');
  assert.equal(await steps(), null);
});
