import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OrderValidation } from '../../src/ground/contract/order-validation.ts';
import type { Shoutout } from '../../src/ground/contract/shoutout.ts';
import { aGift, anOrder } from '../support/orders.ts';
import { startService } from '../support/service.ts';
import { signIn } from '../support/sign-in.ts';
import { openWorkspace, refusal } from '../support/workspace.ts';

const service = await startService();

/** Maya manages Noah. Olga is a colleague, and Paul has left. */
async function openCompany(refusesUnknownEmployeeNumbers = false) {
  const workspace = await openWorkspace(service, { refusesUnknownEmployeeNumbers, acceptsLeavers: false });
  const person = (name: string) => ({ email: `${name}@example.com`, firstName: name, employeeNumber: `N-${name}` });
  const [maya = 0, noah = 0, , paul = 0] = await workspace.addPeople(['maya', 'noah', 'olga', 'paul'].map(person));
  await workspace.change(noah, { managerId: maya });
  await workspace.change(paul, { active: false });
  const manager = await signIn(service, { role: 'MANAGER', email: 'maya@example.com', workspace: workspace.id });
  const order = (recipients: object[]) => anOrder({ orderItems: recipients.map((recipient) => aGift({ recipient })) });
  const validate = async (...recipients: object[]) => {
    const asked = { method: 'POST', body: order(recipients) };
    const { status, body } = await manager.call<OrderValidation>('/api/v1/orders/validate', asked);
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  };
  const send = (...recipients: object[]) => manager.call('/api/v1/orders', { method: 'POST', body: order(recipients) });
  const thank = (recipient: object) =>
    manager.call<Shoutout>('/api/v1/shoutouts', { method: 'POST', body: { recipient, message: 'Thank you!' } });
  return { workspace, noah, validate, send, thank };
}

const companies = { 'any number': await openCompany(), 'known numbers only': await openCompany(true) };

for (const [accepts, { validate, send, noah }] of Object.entries(companies)) {
  test(`in a workspace that accepts ${accepts}, a manager does not learn from a trial who is in the directory`, async () => {
    const byEmail = async (name: string) => {
      const { items, ...rest } = await validate({ email: `${name}@example.com` });
      return { ...rest, items: items.map(({ address: _address, ...item }) => item) };
    };
    assert.deepEqual(await byEmail('olga'), await byEmail('stranger'));
    assert.equal((await byEmail('olga')).items[0]?.outcome, 'UNSEEN');
    assert.deepEqual(await validate({ employeeNumber: 'N-olga' }), await validate({ employeeNumber: 'N-stranger' }));
    const { valid, items, faults } = await validate({ employeeNumber: 'N-olga' });
    assert.deepEqual([valid, items[0]?.outcome], [false, 'UNKNOWN']);
    assert.deepEqual(faults, [
      {
        path: 'orderItems[0].recipient.employeeNumber',
        item: 0,
        problem: 'is not known to you: use the email address',
      },
    ]);
  });

  test(`in a workspace that accepts ${accepts}, a manager does not learn whose employee number it is`, async () => {
    const [olga, beside] = [{ email: 'olga@example.com' }, { email: 'noah@example.com', employeeNumber: 'N-olga' }];
    for (const first of [olga, { ...olga, employeeNumber: 'N-9' }, beside]) {
      const [known, unknown] = await Promise.all(
        ['N-olga', 'N-9'].map((employeeNumber) => validate(first, { employeeNumber })),
      );
      assert.deepEqual(known, unknown);
      assert.equal(known?.items[1]?.sameAs, null);
    }
    assert.equal((await validate(olga, { email: 'OLGA@example.com' })).items[1]?.sameAs, 0, 'the same address');
  });

  test(`in a workspace that accepts ${accepts}, a manager reads everything about their own reports`, async () => {
    const { items, counts } = await validate({ employeeNumber: 'N-noah' }, { email: 'noah@example.com' });
    assert.partialDeepStrictEqual(items[0], { outcome: 'FOUND', member: { id: noah, employeeNumber: 'N-noah' } });
    assert.equal(items[1]?.sameAs, 0);
    assert.partialDeepStrictEqual(counts, { found: 2, repeated: 1, atFault: 0 });
    assert.equal((await send({ employeeNumber: 'N-noah' }, { email: 'olga@example.com' })).status, 201);
  });

  test(`in a workspace that accepts ${accepts}, an order of a manager is rejected as its trial says`, async () => {
    for (const recipient of [{ employeeNumber: 'N-olga' }, { employeeNumber: 'N-9' }, { email: 'paul@example.com' }]) {
      const { faults } = await validate(recipient);
      const message = faults.map(({ path, problem }) => `${path} ${problem}`).join('; ');
      assert.equal(refusal(await send(recipient), 400), message);
      assert.doesNotMatch(message, /left|in this workspace/);
    }
  });
}

test('an error about a shoutout does not tell a manager who is in the directory, and its record says what they sent', async () => {
  const { thank, noah } = companies['any number'];
  const unseen = ['N-olga', 'N-paul', 'N-9'].map((employeeNumber) => thank({ employeeNumber }));
  for (const answer of await Promise.all(unseen))
    assert.equal(refusal(answer, 400), 'recipient.employeeNumber is not known to you: use the email address');
  const left = refusal(await thank({ email: 'paul@example.com' }), 400);
  assert.equal(left, 'recipient cannot receive shoutouts: ask the people team');
  const { body } = await thank({ email: 'olga@example.com', lastName: 'Petrova' });
  assert.partialDeepStrictEqual(body.receiver, { email: 'olga@example.com', firstName: '', lastName: 'Petrova' });
  assert.partialDeepStrictEqual((await thank({ employeeNumber: 'N-noah' })).body.receiver, {
    id: noah,
    email: 'noah@example.com',
    firstName: 'noah',
  });
});
