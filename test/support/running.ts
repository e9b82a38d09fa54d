import assert from 'node:assert/strict';
import type { OrderRecord, OrderRequestStatus } from '../../src/ground/contract/order.ts';
import type { Outcome } from './commands-in-turn.ts';
import { eventually, whileBusy } from './eventually.ts';
import { anOrder } from './orders.ts';

/** The address of a service that runs as a process, and a token for its workspace 1. */
export interface Caller {
  url: string;
  token: string;
}

// Long enough for a slow machine; only a request that hangs takes longer.
const answeredWithinMs = 30_000;

export async function callProcess<Body>({ url, token }: Caller, path: string, body?: unknown) {
  const response = await fetch(url + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { Authorization: `Bearer ${token}`, 'X-Workspace-id': '1', 'Content-Type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(answeredWithinMs),
  });
  return { status: response.status, body: (await response.json()) as Body };
}

export async function orderFrom(caller: Caller): Promise<string> {
  const { status, body } = await whileBusy(() => callProcess<OrderRequestStatus>(caller, '/api/v1/orders', anOrder()));
  assert.equal(status, 201);
  return body.requestId;
}

export function completedBy(caller: Caller, requestId: string): Promise<OrderRecord> {
  return eventually(async () => {
    const { status, body } = await whileBusy(() => callProcess<OrderRecord>(caller, `/api/v1/orders/${requestId}`));
    assert.equal(status, 200, JSON.stringify(body));
    assert.notEqual(body.state, 'FAILED');
    return body.state === 'COMPLETED' && body;
  });
}

/** Checks that a start failed with one line that says why. */
export function assertNoStart({ code, stdout, stderr }: Outcome, says: RegExp): void {
  assert.match(stderr, says);
  assert.equal(stderr.trimEnd().split('\n').length, 1, stderr);
  assert.equal(code, 1);
  assert.ok(!stdout.includes('Giftwire is ready.'));
}
