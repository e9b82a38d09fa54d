import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AuditPage } from '../../src/ground/contract/audit.ts';
import type { OrderDetails, OrderPage } from '../../src/ground/contract/order-list.ts';
import type { OrderValidation } from '../../src/ground/contract/order-validation.ts';
import { eventually } from '../support/eventually.ts';
import { giftsOf } from '../support/gifts.ts';
import { aGift, anOrder } from '../support/orders.ts';
import { giftwire } from '../support/process.ts';
import { startService } from '../support/service.ts';
import { signIn } from '../support/sign-in.ts';
import { isReplay, refusal } from '../support/workspace.ts';

const service = await startService({ mailServer: 'outbox' });
const { workspace, list } = await giftsOf(service);
const note = 'Retention programme 4711';
const send = (changes: Record<string, unknown>, headers = {}) =>
  workspace.call<{ requestId: string }>('/api/v1/orders', { method: 'POST', body: anOrder(changes), headers });
const entryOf = async (requestId: string) => {
  const { entries } = await workspace.read<AuditPage>('/api/v1/audit?action=order');
  return entries.find(({ subjectId }) => subjectId === requestId);
};

async function sent(changes: Record<string, unknown>): Promise<string> {
  const { status, body } = await send(changes);
  assert.equal(status, 201, JSON.stringify(body));
  await workspace.finished(body.requestId);
  return body.requestId;
}

test('the note of an order is in its details, in the list, at the command line and in the audit log', async () => {
  const requestId = await sent({ note: `  ${note} ` });
  const details = await workspace.read<OrderDetails>(`/api/v1/orders/${requestId}/details`);
  const { orders } = await workspace.read<OrderPage>('/api/v1/orders');
  assert.deepEqual([details.note, orders[0]?.note], [note, note]);
  const shown = await giftwire(['order', 'show', requestId], { DATABASE_URL: service.database.url });
  assert.match(shown.stdout, new RegExp(`note +${note}`));
  const entry = await entryOf(requestId);
  assert.deepEqual(
    [entry?.actor, entry?.actorId, entry?.action, entry?.detail],
    ['TOKEN', workspace.tokenId, 'order.created', { gifts: 1, currency: 'CAD', note }],
  );
});

test('the audit log has the note of an order that a person sends, and no entry for an order of a token without one', async () => {
  const person = await signIn(service, { role: 'OWNER', email: 'ada@example.com', workspace: workspace.id });
  const { body } = await person.call<{ requestId: string }>('/api/v1/orders', {
    method: 'POST',
    body: anOrder({ note }),
  });
  const entry = await entryOf(body.requestId);
  assert.deepEqual([entry?.actor, entry?.detail], ['USER', { gifts: 1, currency: 'CAD', note }]);
  for (const changes of [{}, { note: null }, { note: ' ' }]) {
    const requestId = await sent(changes);
    assert.equal(await entryOf(requestId), undefined);
    const details = await workspace.read<OrderDetails>(`/api/v1/orders/${requestId}/details`);
    assert.equal(details.note, null);
  }
});

test('the recipient never gets the note: not by email, gift page, certificate, print or event', async () => {
  const recipient = { email: 'mei@example.com', firstName: 'Mei' };
  const requestId = await sent({ note, orderItems: [aGift({ recipient, message: 'Thank you, Mei' })] });
  const order = await workspace.call(`/api/v1/orders/${requestId}`);
  const { longToken, id } = (order.body as { certificates: { longToken: string; id: number }[] }).certificates[0] as {
    longToken: string;
    id: number;
  };
  await eventually(
    () => list(`?requestId=${requestId}`),
    ({ gifts }) => gifts[0]?.delivery === 'SENT',
  );
  const page = async (path: string) => {
    const answer = await fetch(service.url + path, { method: 'POST', body: new URLSearchParams({ token: longToken }) });
    return answer.text();
  };
  const { mails } = await workspace.read<{ mails: { id: string; to: string }[] }>('/api/v1/outbox');
  const mail = mails.find(({ to }) => to.includes('mei@example.com'));
  const texts = {
    certificate: JSON.stringify(order.body),
    email: JSON.stringify(await workspace.read(`/api/v1/outbox/${mail?.id}`)),
    look: await page('/g/look'),
    claimed: await page('/g/claim'),
    print: await (
      await fetch(`${service.url}/api/v1/gifts/print?ids=${id}`, {
        headers: { Authorization: `Bearer ${workspace.token}`, 'X-Workspace-id': String(workspace.id) },
      })
    ).text(),
    gift: JSON.stringify(await workspace.read(`/api/v1/gifts/${id}`)),
    events: JSON.stringify(await workspace.read('/api/v1/events')),
  };
  for (const [where, text] of Object.entries(texts)) assert.ok(!text.includes('4711'), `${where} has the note`);
  for (const where of ['certificate', 'email', 'look', 'claimed', 'print', 'gift'] as const)
    assert.ok(texts[where].includes('Thank you, Mei'), `${where} is not about the gift: ${texts[where].slice(0, 300)}`);
});

test('the note belongs to the body that a retry must repeat, has at most 1,000 characters, and is not ignored', async () => {
  const headers = { 'Idempotency-Key': 'note' };
  assert.equal((await send({ note }, headers)).status, 201);
  assert.equal(isReplay(await send({ note }, headers)), true);
  assert.match(refusal(await send({ note: 'another' }, headers), 422), /differs in note/);
  assert.match(refusal(await send({}, headers), 422), /differs in note/);
  assert.match(refusal(await send({ note: 'n'.repeat(1_001) }), 400), /note must NOT have more|note .*1,?000/);
  assert.match(refusal(await send({ note: 7 }), 400), /note must be a string/);
  const trial = await workspace.call<OrderValidation>('/api/v1/orders/validate', {
    method: 'POST',
    body: anOrder({ note }),
  });
  assert.deepEqual([trial.body.valid, trial.body.ignored], [true, []]);
});
