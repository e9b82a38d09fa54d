import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OrderDetails } from '../../src/ground/contract/order-list.ts';
import type { OrderValidation } from '../../src/ground/contract/order-validation.ts';
import { eventually } from '../support/eventually.ts';
import fc from '../support/fast-check.ts';
import { giftsOf } from '../support/gifts.ts';
import { aGift, anOrder } from '../support/orders.ts';
import { giftwire } from '../support/process.ts';
import { runs } from '../support/runs.ts';
import { startService } from '../support/service.ts';
import { isReplay, refusal } from '../support/workspace.ts';

const service = await startService({ mailServer: 'outbox' });
const { workspace, list } = await giftsOf(service);
const dayMs = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * dayMs).toISOString();
const send = (changes: Record<string, unknown>, headers = {}) =>
  workspace.call<{ requestId: string }>('/api/v1/orders', { method: 'POST', body: anOrder(changes), headers });
const giftTo = (name: string, terms: Record<string, unknown> = {}) =>
  aGift({ recipient: { email: `${name}@example.com`, firstName: name }, ...terms });

async function issued(changes: Record<string, unknown>) {
  const { status, body } = await send(changes);
  assert.equal(status, 201, JSON.stringify(body));
  const { requestStatus } = await workspace.finished(body.requestId);
  assert.equal(requestStatus, 'COMPLETED');
  const { gifts } = await list(`?requestId=${body.requestId}&size=100`);
  return { requestId: body.requestId, gifts: gifts.toSorted((a, b) => a.id - b.id) };
}

test('each gift of an order is emailed at its own time, else at the order’s, and the order is completed at once', async () => {
  await service.database.query('update workspaces set gift_days = 30 where id = $1', [workspace.id]);
  const [whole, own] = [inDays(10), inDays(40)];
  const { requestId, gifts } = await issued({
    deliverAt: whole,
    orderItems: [giftTo('one'), giftTo('two', { deliverAt: own }), giftTo('three', { deliverAt: inDays(-0.5) })],
  });
  assert.deepEqual(
    gifts.slice(0, 2).map(({ state, delivery, dueAt }) => [state, delivery, dueAt]),
    [
      ['ISSUED', 'SCHEDULED', whole],
      ['ISSUED', 'SCHEDULED', own],
    ],
  );
  assert.match(gifts[2]?.delivery ?? '', /^(QUEUED|SENT)$/);
  const expiries = gifts.map(({ expiresAt }) => Date.parse(expiresAt ?? ''));
  const lastDays = [41, 71, 31].map((days) => Math.floor(Date.parse(inDays(days)) / dayMs) * dayMs);
  assert.deepEqual(expiries.slice(0, 2), lastDays.slice(0, 2));
  const { lines } = await workspace.read<OrderDetails>(`/api/v1/orders/${requestId}/details`);
  assert.deepEqual(
    lines.slice(0, 2).map(({ deliverAt }) => deliverAt),
    [whole, own],
  );
  const shown = await giftwire(['order', 'show', requestId], { DATABASE_URL: service.database.url });
  assert.ok(shown.stdout.includes(own), shown.stdout);
  await service.database.query('update workspaces set gift_days = null where id = $1', [workspace.id]);
});

test('a gift has its own language in its record, its email and its page, else the order’s', async () => {
  const { requestId, gifts } = await issued({
    language: 'EN_CA',
    orderItems: [giftTo('anne', { language: 'FR_CA' }), giftTo('bob')],
  });
  assert.deepEqual(
    gifts.map(({ language }) => language),
    ['FR_CA', 'EN_CA'],
  );
  const { lines } = await workspace.read<OrderDetails>(`/api/v1/orders/${requestId}/details`);
  assert.deepEqual(
    lines.map(({ language, deliverAt }) => [language, deliverAt]),
    [
      ['FR_CA', null],
      ['EN_CA', null],
    ],
  );
  const { certificates } = await workspace.outcome(requestId);
  const pages = await Promise.all(
    certificates.map(async ({ longToken }) => {
      const body = new URLSearchParams({ token: longToken });
      return (await fetch(`${service.url}/g/look`, { method: 'POST', body })).text();
    }),
  );
  assert.deepEqual(
    pages.map((text) => /<html[^>]* lang="(\w+)/.exec(text)?.[1]),
    ['fr', 'en'],
  );
  await eventually(
    () => list(`?requestId=${requestId}`),
    (page) => page.gifts.every(({ delivery }) => delivery === 'SENT'),
  );
  const { mails } = await workspace.read<{ mails: { to: string; subject: string }[] }>('/api/v1/outbox');
  const subjectTo = (name: string) => mails.find(({ to }) => to.includes(`${name}@example.com`))?.subject ?? '';
  assert.match(subjectTo('anne'), /cadeau|offre/i);
  assert.match(subjectTo('bob'), /gift/i);
});

test('a time or a language of one gift that is wrong is rejected by its place, and nothing is stored', async () => {
  const count = async () => (await service.database.query('select from order_requests')).length;
  const before = await count();
  for (const [terms, says] of [
    [{ deliverAt: 'tomorrow' }, /orderItems\[1\]\.deliverAt must be a date and a time with a zone/],
    [{ deliverAt: inDays(400) }, /orderItems\[1\]\.deliverAt must be at most a year ahead/],
    [{ deliverAt: inDays(-2) }, /orderItems\[1\]\.deliverAt is in the past/],
    [{ language: 'french' }, /orderItems\[1\]\.language must be a language and a region/],
  ] as const) {
    const orderItems = [giftTo('one'), giftTo('two', terms)];
    assert.match(refusal(await send({ orderItems }), 400), says);
    const body = anOrder({ orderItems });
    const trial = await workspace.call<OrderValidation>('/api/v1/orders/validate', { method: 'POST', body });
    const [fault] = trial.body.faults;
    assert.deepEqual([trial.body.valid, trial.body.ignored, trial.body.counts.atFault, fault?.item], [false, [], 1, 1]);
    assert.match(`${fault?.path} ${fault?.problem}`, says);
  }
  assert.equal(await count(), before);
});

test('the terms of a gift belong to the body that a retry must repeat', async () => {
  const headers = { 'Idempotency-Key': 'own terms' };
  const orderItems = [giftTo('one', { deliverAt: inDays(3), language: 'FR_CA' })];
  assert.equal((await send({ orderItems }, headers)).status, 201);
  assert.equal(isReplay(await send({ orderItems }, headers)), true);
  const other = await send({ orderItems: [giftTo('one', { deliverAt: inDays(4) })] }, headers);
  assert.match(refusal(other, 422), /differs in orderItems\[0\]\.deliverAt, orderItems\[0\]\.language/);
});

test('orders that 0.8.0 has listed apart, because their gifts have their own terms, are fulfilled in their sequence', async () => {
  const tokenKey = 'k'.repeat(32);
  const api = await startService({ role: 'api', tokenKey });
  const submit = async (changes: Record<string, unknown>) => (await api.create(anOrder(changes))).body.requestId;
  const sent = [
    await submit({}),
    await submit({ orderItems: [giftTo('one', { deliverAt: inDays(3) })] }),
    await submit({ orderItems: [giftTo('two', { language: 'FR_CA' })] }),
    await submit({}),
  ];
  await api.database.query(
    `with apart as (delete from pending_orders where request_id = any($1::uuid[]) returning *)
     insert into newer_pending_orders select * from apart`,
    [sent.slice(1, 3)],
  );
  const { body } = await api.call<{ orders: { requestId: string }[] }>('/api/v1/orders?status=ACCEPTED');
  assert.deepEqual(
    body.orders.map(({ requestId }) => requestId),
    sent.toReversed(),
  );
  const worker = await startService({ role: 'worker', tokenKey, database: api.database });
  const finished: { id: number }[] = [];
  for (const requestId of sent)
    finished.push(
      await eventually(
        async () => (await api.call<{ id: number }>(`/api/v1/orders/${requestId}`)).body,
        ({ id }) => id !== null,
      ),
    );
  const ids = finished.map(({ id }) => id);
  assert.deepEqual(
    ids,
    ids.toSorted((a, b) => a - b),
  );
  assert.deepEqual(await api.database.query('select from newer_pending_orders'), []);
  await worker.stop();
});

const moment = fc.option(fc.integer({ min: 1, max: 364 }).map(inDays), { nil: undefined });
const language = fc.constantFrom('FR_CA', 'ES_MX', undefined);

test('whatever the order and its gifts say, each gift has its own terms, else the order’s', async () => {
  await fc.assert(
    fc.asyncProperty(
      moment,
      language,
      fc.array(fc.record({ deliverAt: moment, language }), { minLength: 1, maxLength: 6 }),
      async (deliverAt, whole, terms) => {
        const { gifts } = await issued({
          deliverAt,
          language: whole,
          orderItems: terms.map((own, nth) => giftTo(`p${nth}`, own)),
        });
        for (const [nth, own] of terms.entries()) {
          const due = own.deliverAt ?? deliverAt;
          const gift = gifts[nth];
          assert.equal(gift?.language, own.language ?? whole ?? 'EN_CA');
          if (due) assert.deepEqual([gift?.delivery, gift?.dueAt], ['SCHEDULED', due]);
          else assert.match(gift?.delivery ?? '', /^(QUEUED|SENT)$/);
        }
      },
    ),
    { numRuns: runs(30) },
  );
});
