import assert from 'node:assert/strict';
import type { OrderRecord, OrderRequestStatus } from '../../src/ground/contract/order.ts';
import { eventually } from './eventually.ts';
import { anOrder } from './orders.ts';
import type { Process } from './process.ts';

/** Orders and opens gifts with the token that a program has printed for its demo company, also at a later start with the same data. */
export function demoGifts({ ready }: Pick<Process, 'ready'>) {
  const { token, workspace } = ready as Record<string, string>;
  const headers = {
    Authorization: `Bearer ${token}`,
    'X-Workspace-id': String(workspace),
    'Content-Type': 'application/json',
  };
  return {
    async order(url: string): Promise<OrderRecord> {
      const created = await fetch(`${url}/api/v1/orders`, { method: 'POST', headers, body: JSON.stringify(anOrder()) });
      assert.equal(created.status, 201);
      const { requestId } = (await created.json()) as OrderRequestStatus;
      return eventually(
        async () => (await (await fetch(`${url}/api/v1/orders/${requestId}`, { headers })).json()) as OrderRecord,
        ({ state }) => state === 'COMPLETED',
      );
    },
    /** The status of the page of the order's first gift. */
    async opens(url: string, { certificates }: OrderRecord): Promise<number> {
      const body = new URLSearchParams({ token: certificates[0]?.longToken ?? '' });
      return (await fetch(`${url}/g`, { method: 'POST', body })).status;
    },
  };
}
