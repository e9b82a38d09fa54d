import { test } from 'node:test';
import { inWorkspace } from '../../src/company/workspaces/lock.ts';
import type { GiftPage } from '../../src/ground/contract/gift.ts';
import { needsBrowser, seen } from '../support/browser.ts';
import { openConsole } from '../support/console.ts';
import { letFail } from '../support/failed-orders.ts';
import { aGift, anOrder } from '../support/orders.ts';
import { startService } from '../support/service.ts';
import { openWorkspace } from '../support/workspace.ts';

const tokenKey = 'k'.repeat(32);
// Orders wait until the test starts a worker.
const service = await startService({ role: 'api', tokenKey });

/** Started by the first test: the order of the other one is fulfilled by it too. */
const startWorker = () => startService({ role: 'worker', tokenKey, database: service.database });

test('a failed order says why, and is tried again with one press', needsBrowser, async () => {
  const workspace = await openWorkspace(service);
  const deliverAt = new Date(Date.now() + 86_400_000).toISOString();
  const orderItems = [
    aGift({ recipient: { email: 'ada@example.com', firstName: 'Ada' } }),
    aGift({ recipient: { email: 'mei@example.com', firstName: 'Mei' }, deliverAt }),
  ];
  const body = anOrder({ note: 'Launch bonus', orderItems });
  const { requestId } = (await workspace.call<{ requestId: string }>('/api/v1/orders', { method: 'POST', body })).body;
  await inWorkspace(service.database, workspace.id, (tx, moment) => letFail(tx, workspace.id, moment, requestId));
  const { page, open, done } = await openConsole(service, { workspace: workspace.id });
  await open('/orders');
  await page.getByText('Failed', { exact: true }).first().click();
  await page.waitForURL(/status=FAILED/);
  await done('the list of orders');
  await page.getByRole('link', { name: /^Order / }).click();
  await seen(page.getByText('the lines contradict each other'));
  await seen(page.getByRole('row', { name: /Ada.*At once/ }));
  await seen(page.getByRole('row', { name: /Mei/ }).locator(`time[datetime="${deliverAt}"]`));
  await seen(page.getByText('Launch bonus'));
  await page.getByRole('button', { name: 'Retry order' }).click();
  await seen(page.getByText('In progress', { exact: true }));
  await startWorker();
  await seen(page.getByText('Completed', { exact: true }));
  await seen(page.getByRole('link', { name: 'Ada' }));
  await done('one order');
});

test('an order says what has become of its gifts, and shows those of one status', needsBrowser, async () => {
  const workspace = await openWorkspace(service);
  const requestId = await workspace.submit(
    ['ada', 'mei', 'sam'].map((name) =>
      aGift({ recipient: { email: `${name}@example.com`, firstName: name }, amount: 25 }),
    ),
  );
  await workspace.finished(requestId);
  const { gifts } = await workspace.read<GiftPage>(`/api/v1/gifts?requestId=${requestId}`);
  const mei = gifts.find(({ address }) => address === 'mei@example.com');
  await workspace.cancelGift(mei?.id);
  const { page, open, done } = await openConsole(service, { workspace: workspace.id });
  await open(`/orders/${requestId}`);
  await seen(page.getByRole('heading', { level: 1, name: /^3 gifts from / }));
  await seen(page.getByText('CA$75.00, 3 × CA$25.00'));
  await seen(page.getByText('CA$50.00', { exact: true }));
  await page.getByRole('button', { name: '1 cancelled' }).click();
  await page.waitForURL(/show=CANCELLED/);
  await seen(page.getByRole('row', { name: /mei/ }));
  await page.getByRole('row', { name: /ada/ }).waitFor({ state: 'detached' });
  await done('the gifts of an order');
  await open(`/gifts?requestId=${requestId}`);
  await seen(page.getByText('3 gifts worth CA$75.00'));
  await done('the total of a list');
});
