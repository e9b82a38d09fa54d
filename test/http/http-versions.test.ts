import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { test } from 'node:test';
import { anOrder } from '../support/orders.ts';
import { readAnswers, sendRaw } from '../support/raw.ts';
import { startService } from '../support/service.ts';

const service = await startService();
const { body: known } = await service.create(anOrder());
await service.finished(known.requestId);
const status = `/api/v1/orders/status/${known.requestId}`;
const order = JSON.stringify(anOrder());

const versions = ['1.0', '1.1'] as const;
const requests: Record<
  string,
  [status: number, method: string, path: string, body?: string | undefined, token?: string]
> = {
  'a create': [201, 'POST', '/api/v1/orders', order],
  'a create at fault': [400, 'POST', '/api/v1/orders', '{"currency":"CAD"}'],
  'a status': [200, 'GET', status],
  'a status that is not found': [404, 'GET', '/api/v1/orders/status/0192f0c1-7b1a-7000-8000-000000000000'],
  'a wrong token': [401, 'GET', status, undefined, 'gw_test_wrong'],
  'an order': [200, 'GET', `/api/v1/orders/${known.requestId}`],
  'a report': [200, 'GET', '/api/v1/reports/teams/activity'],
  'an unknown path': [404, 'GET', '/api/v1/nowhere'],
};

function requestText(version: string, connection: string, name: string): string {
  const [, method, path, body, token = service.token] = requests[name] as (typeof requests)[string];
  const lines = [
    `${method} ${path} HTTP/${version}`,
    'Host: localhost',
    `Connection: ${connection}`,
    `Authorization: Bearer ${token}`,
    `X-Workspace-id: ${service.workspaceId}`,
    ...(body === undefined ? [] : ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`]),
  ];
  return `${lines.join('\r\n')}\r\n\r\n${body ?? ''}`;
}

for (const version of versions)
  test(`over HTTP/${version} one connection serves every kind of request, and each answer says its length`, async () => {
    const names = Object.keys(requests);
    const { hostname, port } = new URL(service.url);
    const socket = connect(Number(port), hostname);
    const answers = readAnswers(socket, names.length);
    for (const name of names) socket.write(requestText(version, 'keep-alive', name));
    const received = await answers;
    assert.deepEqual(
      received.map((answer) => answer.status),
      names.map((name) => requests[name]?.[0]),
    );
    for (const { headers, text } of received) {
      assert.equal(headers.get('connection'), 'keep-alive');
      assert.equal(Number(headers.get('content-length')), Buffer.byteLength(text));
    }
    socket.destroy();
  });

for (const version of versions)
  test(`over HTTP/${version} a connection ends with its answer if the caller asks for that`, async () => {
    for (const [name, [expected]] of Object.entries(requests)) {
      const { status: told, headers, text } = await sendRaw(service.url, requestText(version, 'close', name));
      assert.equal(told, expected, name);
      assert.equal(headers.get('connection'), 'close', name);
      assert.equal(Number(headers.get('content-length')), Buffer.byteLength(text), name);
    }
  });

test('a HEAD gets the headers of the GET, and no body', async () => {
  const ask = (method: string) => sendRaw(service.url, requestText('1.1', 'close', 'a status').replace(/^GET/, method));
  const [{ text, ...head }, get] = await Promise.all([ask('HEAD'), ask('GET')]);
  assert.equal(text, '');
  const shared = ({ headers }: Pick<typeof get, 'headers'>) =>
    [...headers].filter(([name]) => name !== 'x-request-id' && name !== 'date');
  assert.deepEqual(shared(head), shared(get));
});
