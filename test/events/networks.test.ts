import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { request } from 'undici';
import { checkWebhookUrl } from '../../src/company/events/webhooks/address.ts';
import { createGuardedAgent } from '../../src/company/events/webhooks/connector.ts';
import { findAddressProblem, type Networks } from '../../src/company/events/webhooks/networks.ts';
import { type Network, parseNetwork } from '../../src/ground/values/network.ts';
import { selfSigned } from '../support/certificate.ts';
import { cleanUp } from '../support/cleanup.ts';

const production: Networks = { allowsLoopback: false, opened: [] };

/** A server on every interface that counts the connections it gets. */
async function listen(server: Server): Promise<{ port: number; connections: () => number }> {
  let connections = 0;
  server.on('connection', () => connections++);
  server.listen(0, '::');
  await once(server, 'listening');
  cleanUp(async () => {
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, connections: () => connections };
}

const spellings = [
  '127.0.0.1',
  '127.1',
  '2130706433',
  '0x7f000001',
  '0177.0.0.1',
  '0.0.0.0',
  '0',
  'localhost',
  '[::1]',
  '[::]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[0:0:0:0:0:ffff:7f00:1]',
  '[::127.0.0.1]',
  '[::7f00:1]',
  '[64:ff9b::7f00:1]',
  '[2002:7f00:1::]',
  '[fe80::1]',
  '[fd00:ec2::254]',
  '169.254.169.254',
  '[::ffff:169.254.169.254]',
  '10.0.0.1',
  '172.16.0.1',
  '192.168.0.1',
  '100.64.0.1',
  '100.100.100.200',
  '224.0.0.1',
  '255.255.255.255',
];

for (const scheme of ['http', 'https'] as const)
  test(`${scheme}: no spelling of a loopback, private or metadata address gets a connection in production`, async () => {
    const server = scheme === 'http' ? createServer() : createTlsServer(selfSigned());
    const { port, connections } = await listen(server as Server);
    const agent = createGuardedAgent({ networks: production });
    cleanUp(() => agent.close());
    for (const host of spellings)
      await assert.rejects(
        request(`${scheme}://${host}:${port}/`, { dispatcher: agent, method: 'POST', body: '{}' }),
        { name: 'ForbiddenAddress' },
        host,
      );
    assert.equal(connections(), 0);
  });

test('a name that leads to a public address at registration and to a private one later gets no connection', async () => {
  const { port, connections } = await listen(createServer());
  let address = '93.184.216.34';
  const lookup = async () => [address];
  await checkWebhookUrl(`http://rebinding.example:${port}/`, production, lookup);
  address = '127.0.0.1';
  const agent = createGuardedAgent({ networks: production, lookup });
  cleanUp(() => agent.destroy());
  await assert.rejects(request(`http://rebinding.example:${port}/`, { dispatcher: agent }), {
    name: 'ForbiddenAddress',
    message: 'rebinding.example resolves to 127.0.0.1, which is a loopback address',
  });
  assert.equal(connections(), 0);
});

test('a name with one public and one private address gets no connection', async () => {
  const { port, connections } = await listen(createServer());
  const agent = createGuardedAgent({ networks: production, lookup: async () => ['93.184.216.34', '127.0.0.1'] });
  cleanUp(() => agent.destroy());
  await assert.rejects(request(`http://mixed.example:${port}/`, { dispatcher: agent }), { name: 'ForbiddenAddress' });
  assert.equal(connections(), 0);
});

test('the operator can open private ranges, and never link-local or metadata addresses', () => {
  const ranges = ['10.0.0.0/8', 'fd00::/8', '0.0.0.0/0', '::/0'];
  const networks: Networks = { allowsLoopback: false, opened: ranges.map((range) => parseNetwork(range) as Network) };
  assert.equal(findAddressProblem('10.1.2.3', networks), null);
  assert.equal(findAddressProblem('fd12::1', networks), null);
  for (const address of ['169.254.169.254', 'fe80::1', 'fd00:ec2::254', '100.100.100.200', '168.63.129.16', '0.0.0.0'])
    assert.match(findAddressProblem(address, networks) ?? '', /metadata/, address);
  assert.equal(findAddressProblem('127.0.0.1', networks), 'is a loopback address');
});

test('loopback is for the test environment', async () => {
  const { port, connections } = await listen(createServer((_request, response) => response.end('ok')));
  const agent = createGuardedAgent({ networks: { allowsLoopback: true, opened: [] } });
  cleanUp(() => agent.close());
  const { statusCode, body } = await request(`http://localhost:${port}/`, { dispatcher: agent });
  assert.equal(statusCode, 200);
  await body.dump();
  assert.equal(connections(), 1);
});
