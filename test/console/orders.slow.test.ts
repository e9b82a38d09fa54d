import { test } from 'node:test';
import { inWorkspace } from '../../src/company/workspaces/lock.ts';
import { failOrder } from '../../src/giving/orders/fulfil.ts';
import { appendOrderEvents } from '../../src/steps.ts';
import { needsBrowser, seen } from '../support/browser.ts';
import { openConsole } from '../support/console.ts';
import { aGift } from '../support/orders.ts';
import { startService } from '../support/service.ts';
import { openWorkspace } from '../support/workspace.ts';

const tokenKey = 'k'.repeat(32);
// Orders wait until the test starts a worker.
const service = await startService({ role: 'api', tokenKey });

test('a failed order says why, and is tried again with one press', needsBrowser, async () => {
  const workspace = await openWorkspace(service);
  const requestId = await workspace.submit([aGift({ recipient: { email: 'ada@example.com', firstName: 'Ada' } })]);
  await inWorkspace(service.database, workspace.id, async (tx, moment) => {
    const failed = await failOrder(tx, workspace.id, moment, requestId, 'the lines contradict each other');
    const finished = { workspaceId: workspace.id, moment, completed: [], failed: failed ? [failed] : [] };
    await appendOrderEvents.inTransaction?.(tx, finished);
  });
  const { page, open, done } = await openConsole(service, { workspace: workspace.id });
  await open('/orders');
  await page.getByText('Failed', { exact: true }).first().click();
  await page.waitForURL(/status=FAILED/);
  await done('the list of orders');
  await page.getByRole('link', { name: /^Order / }).click();
  await seen(page.getByText('the lines contradict each other'));
  await seen(page.getByRole('row', { name: /Ada/ }));
  await page.getByRole('button', { name: 'Retry order' }).click();
  await seen(page.getByText('In progress', { exact: true }));
  await startService({ role: 'worker', tokenKey, database: service.database });
  await seen(page.getByText('Completed', { exact: true }));
  await seen(page.getByRole('link', { name: 'Ada' }));
  await done('one order');
});
