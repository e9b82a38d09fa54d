import assert from 'node:assert/strict';
import { test } from 'node:test';
import { head, sendRaw } from '../support/raw.ts';
import { startService } from '../support/service.ts';

const service = await startService();
const { token } = await service.addToken({});
const workspace = `X-Workspace-id: ${service.workspaceId}`;
const bearer = `Authorization: Bearer ${token}`;

async function said(method: string, path: string, ...headers: string[]): Promise<[status: number, message: string]> {
  const { status, text } = await sendRaw(service.url, head(method, path, ...headers));
  return [status, JSON.parse(text).message];
}

test('the error for a header that was sent twice says so', async () => {
  const [twice, message] = await said('GET', '/api/v1/reasons', bearer, workspace, workspace);
  assert.deepEqual([twice, message], [400, 'The input could be invalid: X-Workspace-id must be given once']);
  const json = ['Content-Type: application/json', 'Content-Length: 2'];
  for (const name of ['Idempotency-Key', 'X-Customer-Request-Id']) {
    const request = head('POST', '/api/v1/orders', bearer, workspace, ...json, `${name}: one`, `${name}: two`);
    const { status, text } = await sendRaw(service.url, `${request}{}`);
    assert.deepEqual([status, JSON.parse(text).message], [400, `${name} must be given once`]);
  }
  const [kept, once] = await said(
    'POST',
    '/api/v1/webhooks/1/enable',
    bearer,
    workspace,
    'Idempotency-Key: a',
    'Idempotency-Key: b',
  );
  assert.deepEqual([kept, once], [400, 'Idempotency-Key must be given once']);
});

test('two credentials of which the first is wrong are named as two', async () => {
  const [status, message] = await said('GET', '/api/v1/reasons', 'Authorization: Bearer wrong', bearer, workspace);
  assert.equal(status, 401);
  assert.match(message, /^The Authorization header was sent more than once/);
});
