import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { afterEach, test } from 'node:test';
import { maxBodyBytes } from '../../src/doors/http/areas/api/orders.ts';
import { usualBodyBytes } from '../../src/doors/http/body/body-limits.ts';
import { cleanUp } from '../support/cleanup.ts';
import { eventually } from '../support/eventually.ts';
import { openConnection } from '../support/harmless.ts';
import { anOrder } from '../support/orders.ts';
import { head, readAnswers, sendRaw } from '../support/raw.ts';
import { startService } from '../support/service.ts';

const service = await startService({ logLevel: 'fatal' });
const { token: neighbour } = await service.addToken({ name: 'Neighbour' });
const json = 'Content-Type: application/json';
/** What one caller may have under way while nobody else sends large bodies: four full orders. */
const ownOrders = 4;

const post = (...headers: string[]) =>
  head('POST', '/api/v1/orders', `X-Workspace-id: ${service.workspaceId}`, ...headers);
const by = (token: string) => `Authorization: Bearer ${token}`;
const headOf = (token: string, bytes = maxBodyBytes) => post(by(token), json, `Content-Length: ${bytes}`);
const order = (bytes: number) => JSON.stringify(anOrder()).padEnd(bytes, ' ');

const held: Socket[] = [];
const letGo = () => {
  for (const socket of held.splice(0)) socket.destroy();
};
cleanUp(async () => letGo());

/** Sends as many heads with the first byte of a body, and keeps the connections open. */
async function hold(count: number, said: string): Promise<Socket[]> {
  const sockets = await Promise.all(Array.from({ length: count }, () => openConnection(service.url, `${said} `)));
  held.push(...sockets);
  return sockets;
}

const send = (token: string, body: unknown) =>
  service.call('/api/v1/orders', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body, token });
/** The smallest body that takes room, and of no text: it is refused as soon as it was received, with 400 where there is room, else 503. */
const noText = Buffer.alloc(usualBodyBytes + 1, 0xff);
const probe = async (token: string) => (await send(token, noText)).status;
/** Holds all room of a caller but that of one probe. */
const holdRest = async (token: string) => {
  await hold(ownOrders - 1, headOf(token));
  await hold(1, headOf(token, maxBodyBytes - noText.length));
};
const hasRoom = (token: string) =>
  eventually(
    () => probe(token),
    (status) => status === 400,
  );
/** Takes all room of a caller. A probe may come before one of those that are held, so more are held until there is no room. */
async function fill(token: string, said = headOf(token)): Promise<Socket[]> {
  const sockets = await hold(ownOrders, said);
  let status = await probe(token);
  for (; status === 400 && sockets.length < 2 * ownOrders; status = await probe(token))
    sockets.push(...(await hold(1, said)));
  assert.equal(status, 503, 'there is room for all of them');
  return sockets;
}

/** After each test all room is free again. */
afterEach(async () => {
  letGo();
  await holdRest(service.token);
  await hasRoom(service.token);
  letGo();
});

test('bodies that one caller does not finish leave room for the large orders of others', async () => {
  await fill(service.token);
  const { status, headers, body } = await send(service.token, order(maxBodyBytes));
  assert.deepEqual([status, headers.get('retry-after'), Object.keys(body)], [503, '1', ['status', 'message', 'type']]);
  assert.equal((await send(neighbour, order(maxBodyBytes))).status, 201);
  assert.equal((await send(service.token, order(200_000))).status, 201, 'a small order needs no room');
});

test('what several callers hold leaves room for the next', async () => {
  const others = await Promise.all(Array.from({ length: 3 }, (_, nth) => service.addToken({ name: `Caller ${nth}` })));
  for (const { token } of others) await fill(token);
  assert.equal((await send(neighbour, order(maxBodyBytes))).status, 201);
});

test('the room of a body is free when it was answered, and when its caller has gone', async () => {
  await holdRest(service.token);
  for (let nth = 0; nth < 3; nth++) await hasRoom(service.token);
  letGo();
  for (const socket of (await fill(service.token)).slice(0, 2)) socket.destroy();
  await hasRoom(service.token);
});

test('a request that is refused for another reason keeps no room', async () => {
  const length = `Content-Length: ${maxBodyBytes}`;
  await hold(ownOrders - 1, headOf(service.token));
  for (const [said, status] of [
    [post(json, length), 401],
    [post(by(service.token), json, length, 'Accept: image/png'), 406],
    [post(by(service.token), 'Content-Type: text/plain', length), 415],
    [headOf(service.token, maxBodyBytes + 1), 413],
  ] as const) {
    const [socket] = (await hold(1, said)) as [Socket];
    const [answer] = await readAnswers(socket, 1);
    assert.equal(answer?.status, status);
    socket.destroy();
  }
  await hasRoom(service.token);
});

test('a body without a Content-Length takes the room of the longest when it is not small any more', async () => {
  const chunked = post(by(service.token), json, 'Transfer-Encoding: chunked');
  const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;
  const large = chunk(order(usualBodyBytes + 1));
  await fill(service.token);
  const small = await Promise.all(
    Array.from({ length: 50 }, () => sendRaw(service.url, chunked, chunk(order(50_000)), '0\r\n\r\n')),
  );
  assert.deepEqual([...new Set(small.map(({ status }) => status))], [201], 'small ones take no room');
  const { status, headers } = await sendRaw(service.url, chunked, large);
  assert.deepEqual([status, headers.get('retry-after')], [503, '1']);
  letGo();
  await hasRoom(service.token);
  assert.equal((await sendRaw(service.url, chunked, large, '0\r\n\r\n')).status, 201);
  await fill(service.token, chunked + large);
});
