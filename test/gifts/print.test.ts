import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import type { OrderRecord } from '../../src/ground/contract/order.ts';
import { giftsOf, openGifts } from '../support/gifts.ts';
import { refusal } from '../support/workspace.ts';

const { service, workspace, issue, gift, repaired } = await openGifts();

async function printed(query: string, accept = 'text/html'): Promise<{ headers: Headers; page: string }> {
  const { status, headers, body } = await workspace.call<string>(`/api/v1/gifts/print${query}`, {
    headers: { Accept: accept },
  });
  assert.equal(status, 200, JSON.stringify(body));
  return { headers, page: body };
}

test('the gifts of an order are printed with their codes, under a policy that allows its own style alone', async () => {
  const ids = await issue({ email: 'ada@example.com' }, { employeeNumber: '7' }, { email: 'mei@example.com' });
  const { requestId } = await gift(ids[0] as number);
  await repaired(ids[2] as number, 'cancel');
  const { headers, page } = await printed(`?requestId=${requestId}&perPage=8`);
  const { certificates } = await workspace.read<OrderRecord>(`/api/v1/orders/${requestId}`);
  assert.deepEqual(
    certificates.map(({ shortToken }) => page.includes(shortToken)),
    [true, true, false],
    'a cancelled gift is left out',
  );
  assert.equal(headers.get('content-type'), 'text/html; charset=utf-8');
  assert.equal(headers.get('cache-control'), 'no-store');
  const style = /<style>(.*?)<\/style>/s.exec(page)?.[1] as string;
  const hash = createHash('sha256').update(style).digest('base64');
  assert.match(headers.get('content-security-policy') ?? '', /^default-src 'none'; style-src 'sha256-/);
  assert.ok(headers.get('content-security-policy')?.includes(hash));
  assert.doesNotMatch(page, /<script|style="|src="http/);
});

test('a browser that opens a print has the workspace in the address, and still needs the right to it', async () => {
  const [id] = await issue({ email: 'ada@example.com' });
  const headers = { Accept: 'text/html' };
  const print = (workspaceId: number, query = '') =>
    workspace.call<string>(`/api/v1/gifts/print?ids=${id}&workspaceId=${workspaceId}${query}`, {
      workspace: null,
      headers,
    });
  assert.match((await print(workspace.id)).body, /^<!doctype html>/i);
  const elsewhere = await giftsOf(service);
  refusal(await print(elsewhere.workspace.id), 403);
  refusal(await workspace.call(`/api/v1/gifts?workspaceId=${workspace.id}`, { workspace: null }), 400);
});

test('single gifts are printed in the sequence that was asked for', async () => {
  const [one, other] = (await issue({ email: 'one@example.com' }, { email: 'other@example.com' })) as [number, number];
  const { requestId } = await gift(one);
  const { certificates } = await workspace.read<OrderRecord>(`/api/v1/orders/${requestId}`);
  const [first, second] = certificates.map(({ shortToken }) => shortToken) as [string, string];
  const { page } = await printed(`?ids=${other},${one}`, '*/*');
  assert.ok(page.indexOf(second) < page.indexOf(first) && page.includes(second));
});

test('what cannot be printed is refused: unknown gifts, others, cancelled ones, and nothing at all', async () => {
  const [id] = (await issue({ email: 'ada@example.com' })) as [number];
  const { requestId } = await gift(id);
  const elsewhere = await giftsOf(service);
  const print = (query: string, from = workspace) => from.call(`/api/v1/gifts/print${query}`);
  assert.match(refusal(await print(''), 400), /requestId or ids must be given, and not both/);
  refusal(await print(`?ids=${id}&requestId=${requestId}`), 400);
  assert.match(refusal(await print(`?ids=${id}&perPage=3`), 400), /perPage must be one of 1, 8/);
  refusal(await print('?ids=1;2'), 400);
  refusal(await print(`?ids=${Array.from({ length: 1_001 }, (_, nth) => nth + 1)}`), 400);
  refusal(await print(`?ids=${id},999999999`), 404);
  refusal(await print(`?ids=${id}`, elsewhere.workspace), 404);
  refusal(await print(`?requestId=${requestId}`, elsewhere.workspace), 404);
  await repaired(id, 'cancel');
  assert.match(refusal(await print(`?ids=${id}`), 409), /is CANCELLED: leave it out/);
  refusal(await print(`?requestId=${requestId}`), 404);
  refusal(await workspace.call(`/api/v1/gifts/print?ids=${id}`, { headers: { Accept: 'application/json' } }), 406);
});
