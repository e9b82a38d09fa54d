import assert from 'node:assert/strict';
import { test } from 'node:test';
import { operationsOf, readDocument } from '../support/openapi.ts';
import { anOrder } from '../support/orders.ts';
import { startService } from '../support/service.ts';
import { openWorkspace, refusal } from '../support/workspace.ts';

const service = await startService();
const workspace = await openWorkspace(service, { people: [{ email: 'ada@example.com', employeeNumber: '1' }] });
const document = await readDocument();
const { requestId } = (
  await workspace.call<{ requestId: string }>('/api/v1/orders', { method: 'POST', body: anOrder() })
).body;
await workspace.finished(requestId);

const marks = (headers: Headers) => [headers.get('Deprecation'), headers.get('Sunset')];
const deprecated = ['@1794960000', 'Fri, 31 Dec 2027 00:00:00 GMT'];

test('a former path answers as its successor does, and says that it is deprecated', async () => {
  const read = (path: string) => workspace.call(`/api/v1/orders/${path}`);
  const [now, former] = [await read(`${requestId}/details?size=1`), await read(`details/${requestId}?size=1`)];
  assert.deepEqual([former.status, former.body.requestId], [200, requestId]);
  assert.deepEqual(Object.keys(former.body), Object.keys(now.body));
  assert.deepEqual(marks(former.headers), deprecated);
  assert.deepEqual(marks(now.headers), [null, null]);
  const again = await workspace.call(`/api/v1/orders/retry/${requestId}`, { method: 'POST' });
  assert.match(refusal(again, 409), /has not failed/);
  assert.deepEqual(marks(again.headers), deprecated);
});

test('a former parameter filters as its successor does, which counts where both are given', async () => {
  const [ada] = workspace.memberIds;
  const body = { currency: 'CAD', amount: 100, memberId: ada };
  assert.equal((await workspace.call('/api/v1/budgets', { method: 'POST', body })).status, 201);
  const found = async (query: string) => {
    const { body, headers } = await workspace.call<{ totalElements: number }>(`/api/v1/budgets?${query}`);
    return [body.totalElements, ...marks(headers)];
  };
  assert.deepEqual(await found(`member=${ada}`), [1, null, null]);
  assert.deepEqual(await found(`memberId=${ada}`), [1, ...deprecated]);
  assert.deepEqual(await found('memberId=999999'), [0, ...deprecated]);
  assert.deepEqual(await found(`memberId=999999&member=${ada}`), [1, ...deprecated]);
  assert.match(refusal(await workspace.call('/api/v1/budgets?memberId=x'), 400), /memberId/);
});

test('what is deprecated names its successor in the document, and nothing of the interface is', () => {
  const former = [...operationsOf(document).values()].filter((operation) => operation.deprecated);
  assert.deepEqual(former.map(({ method, path }) => `${method} ${path}`).toSorted(), [
    'GET /api/v1/orders/details/{requestId}',
    'POST /api/v1/orders/retry/{requestId}',
  ]);
  const fixed = ['createOrder', 'getOrderStatus', 'findOrder', 'getTeamActivity', 'getLastRecognized'];
  assert.ok(fixed.every((id) => operationsOf(document).get(id)?.deprecated === undefined));
  const schemas = document.components.schemas as Record<string, { properties?: Record<string, Field> }>;
  for (const [name, { properties = {} }] of Object.entries(schemas))
    for (const [field, { deprecated: isFormer, description = '' }] of Object.entries(properties)) {
      if (!isFormer) continue;
      const [, successor = ''] = /^Deprecated: use `(\w+)` instead\.$/.exec(description) ?? [];
      assert.ok(properties[successor], `${name}.${field} names no successor: ${description}`);
    }
});

interface Field {
  deprecated?: boolean;
  description?: string;
}
