import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { Rush } from '../../src/giving/delivery/send/rush.ts';
import { createMetrics } from '../../src/ground/metrics.ts';
import { acceptSteps, createSteps } from '../../src/steps.ts';
import { openGate, setRule } from '../support/approvals.ts';
import { anOrder } from '../support/orders.ts';
import { startService } from '../support/service.ts';
import { files } from '../support/source-files.ts';
import { refusal } from '../support/workspace.ts';

/** Every place that lets an order in, and how it passes the gate. A new one is added here together with its test. */
const entryPoints: Record<string, string> = {
  // API, console, file and `giftwire send`: all send POST /api/v1/orders, which ends here.
  'src/service.ts': 'new Acceptance(requests, steps.accept',
  // Automations, in a worker and when the test clock is moved: test/automations/rules.test.ts.
  'src/background.ts': 'new Acceptance(database, steps.accept)',
  'src/doors/cli/clock.ts': 'new Acceptance(database, commandSteps.accept)',
  // `giftwire order retry` and POST /orders/{requestId}/retry.
  'src/giving/orders/retry.ts': 'step.judge?.(tx, [order])',
};

/** What stores an order, or lists one for fulfilment. */
const lettingIn =
  /new Acceptance\(|storeOrders\(|queueOrders\(|queueOrHold\(|queueSql\(|releaseOrders\(tx|insert into (?:order_requests|pending_orders)/;

/** The parts of acceptance and of the gate itself, and what is no order of a caller. */
const inside = [
  'src/giving/orders/accept.ts',
  'src/giving/orders/store.ts',
  'src/giving/orders/queue.ts',
  // Approved orders leave the gate here.
  'src/giving/orders/held.ts',
  'src/giving/approvals/outcomes.ts',
  // Both are called releaseOrders: this one returns money.
  'src/giving/budgets/settle.ts',
  // The history of the demo company, before its service has callers.
  'src/giving/orders/past.ts',
];

test('every place that lets an order in is known, and passes the gate', () => {
  const found = files.filter(({ text }) => lettingIn.test(text)).map(({ path }) => path);
  assert.deepEqual(
    found.filter((path) => !inside.includes(path)).sort(),
    Object.keys(entryPoints).sort(),
    'a new way for orders has to pass the gate: list it here with a test',
  );
  for (const [path, passing] of Object.entries(entryPoints))
    assert.ok(files.find((file) => file.path === path)?.text.includes(passing), `${path} does not pass the gate`);
});

test('the gate is a step of acceptance and of retries, before budgets are asked', () => {
  const { accept } = createSteps({
    metrics: createMetrics(),
    log: pino({ level: 'silent' }),
    mailsGifts: false,
    rush: new Rush(),
  });
  for (const steps of [acceptSteps, accept]) {
    const gate = steps.findIndex(({ judge, hold }) => judge && hold);
    assert.ok(gate >= 0 && gate < steps.findIndex(({ refuse }) => refuse));
  }
});

test('users of every role and tokens pass the gate, owners too', async () => {
  const service = await startService();
  const gate = await openGate(service, [{ above: 0 }]);
  const { users, workspace } = gate;
  for (const sender of [users.olga, users.priya, null]) {
    const requestId = await gate.send(sender);
    assert.equal((await gate.details(requestId)).approval?.state, 'WAITING');
  }
  await setRule(service.database, workspace.id, { position: 1, outcome: 'REJECT', message: 'Closed.', above: 0 });
  const { status } = await workspace.call('/api/v1/orders', { method: 'POST', body: anOrder() });
  // The grant in memory has the first rule, so the order is judged, by the rules as they are now.
  assert.equal(status, 402);
  refusal(await users.olga.call('/api/v1/orders', { method: 'POST', body: anOrder() }), 402);
});
