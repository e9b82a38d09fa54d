import type { Approval, OrderApproval } from '@giftwire/sdk';

/** Orders that are decided together: one, or the orders of one file. */
export interface Together {
  /** The first one. Sender, rule, level and reference are the same in all. */
  order: OrderApproval;
  requestIds: string[];
  orders: OrderApproval[];
  gifts: number;
  total: number;
}

export type Entry = { kind: 'ORDER'; together: Together } | { kind: 'SHOUTOUT'; approval: Approval };

/** The rows of a page of approvals. The orders of one file that wait are one row, because they are one decision. */
export function entriesOf(approvals: readonly Approval[]): Entry[] {
  const entries: Entry[] = [];
  const files = new Map<string, Together>();
  for (const approval of approvals) {
    const { order } = approval;
    if (!order) {
      entries.push({ kind: 'SHOUTOUT', approval });
      continue;
    }
    const key = keyOf(order);
    const file = files.get(key);
    if (file) add(file, order);
    else {
      const together = togetherOf([order]);
      files.set(key, together);
      entries.push({ kind: 'ORDER', together });
    }
  }
  return entries;
}

export function togetherOf(orders: readonly [OrderApproval, ...OrderApproval[]]): Together {
  const [order, ...others] = orders;
  const { requestId, gifts, total } = order;
  const together: Together = { order, requestIds: [requestId], orders: [order], gifts, total };
  for (const other of others) add(together, other);
  return together;
}

function add(together: Together, order: OrderApproval): void {
  together.requestIds.push(order.requestId);
  together.orders.push(order);
  together.gifts += order.gifts;
  together.total += order.total;
}

function keyOf({ requestId, state, customerRequestId, sender, currency, rule, level }: OrderApproval): string {
  if (state !== 'WAITING' || customerRequestId === null) return requestId;
  return JSON.stringify([customerRequestId, sender.id, currency, rule.id, level]);
}
