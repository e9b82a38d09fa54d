import assert from 'node:assert/strict';
import { test } from 'node:test';
import { request } from 'undici';
import { checkWebhookUrl } from '../../src/company/events/webhooks/address.ts';
import { createGuardedAgent } from '../../src/company/events/webhooks/connector.ts';
import { createLookup } from '../../src/company/events/webhooks/lookup.ts';
import type { Networks } from '../../src/company/events/webhooks/networks.ts';
import { cleanUp } from '../support/cleanup.ts';
import { createTestDatabase } from '../support/database.ts';
import { openLog, startDispatcher } from '../support/deliveries.ts';
import { eventually } from '../support/eventually.ts';
import { startNameServer } from '../support/name-server.ts';
import { startReceiver } from '../support/receiver.ts';

const database = await createTestDatabase();
const production: Networks = { allowsLoopback: false, opened: [] };
const known = 'hooks.known.example';

/** The address of a receiver, with a name instead of a number. */
const named = (url: string) => url.replace('127.0.0.1', known);

test('webhooks whose names are not answered for keep no other webhook waiting', async () => {
  const nameServer = await startNameServer([known]);
  const { add, append } = await openLog(database);
  const receiver = await startReceiver();
  const silent = Array.from({ length: 8 }, (_, nth) => `hooks${nth}.silent.example`);
  for (const name of silent) await add({ url: `http://${name}/` });
  await append(1);
  const dispatcher = startDispatcher(database, { lookup: createLookup([nameServer.address]) });
  await eventually(
    async () => silent.filter((name) => nameServer.asked.includes(name)).length,
    (count) => count === silent.length,
  );
  await add({ url: named(receiver.url) });
  await append(1);
  await eventually(
    async () => receiver.numbers(),
    (numbers) => numbers.includes(2),
  );
  await dispatcher.stop();
});

test('connections to one host share a look-up that is under way', async () => {
  const { address, asked } = await startNameServer([known]);
  const lookup = createLookup([address]);
  const found = await Promise.all(Array.from({ length: 10 }, () => lookup(known)));
  assert.deepEqual(
    found,
    Array.from({ length: 10 }, () => ['127.0.0.1']),
  );
  assert.deepEqual(asked, [known, known], 'an address of IPv4 and of IPv6');
  await lookup(known);
  assert.equal(asked.length, 4, 'the next one asks again');
});

test('what a name server says is checked before a connection', async () => {
  const { address } = await startNameServer([known]);
  const receiver = await startReceiver();
  const lookup = createLookup([address]);
  const agent = createGuardedAgent({ networks: production, lookup });
  cleanUp(() => agent.destroy());
  await assert.rejects(request(named(receiver.url), { dispatcher: agent, method: 'POST', body: '{}' }), {
    name: 'ForbiddenAddress',
    message: `${known} resolves to 127.0.0.1, which is a loopback address`,
  });
  assert.equal(receiver.received.length, 0);
  await assert.rejects(checkWebhookUrl(named(receiver.url), production, lookup), /which is a loopback address/);
});

test("the system's file of hosts counts before name servers", async () => {
  const { address, asked } = await startNameServer([]);
  const found = await createLookup([address])('localhost');
  assert.ok(found.length > 0);
  for (const one of found) assert.ok(['127.0.0.1', '::1'].includes(one), one);
  assert.deepEqual(asked, []);
});

test('a name server that does not answer ends a look-up, and holds up no registration', async () => {
  const { address } = await startNameServer([]);
  await Promise.all([
    assert.rejects(createLookup([address])('hooks.silent.example'), { code: 'ETIMEOUT' }),
    checkWebhookUrl('http://hooks.silent.example/', production, () => new Promise(() => {})),
  ]);
});
