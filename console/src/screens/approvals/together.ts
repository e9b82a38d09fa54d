import type { Approval, OrderApproval } from '@giftwire/sdk';

/** Orders that are decided together: one, or the orders of one file. */
export interface Together {
  /** The first one. Sender, rule, level and reference are the same in all. */
  order: OrderApproval;
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
    if (file) {
      file.orders.push(order);
      file.gifts += order.gifts;
      file.total += order.total;
      continue;
    }
    const together: Together = { order, orders: [order], gifts: order.gifts, total: order.total };
    files.set(key, together);
    entries.push({ kind: 'ORDER', together });
  }
  return entries;
}

function keyOf({ requestId, state, customerRequestId, sender, currency, rule, level }: OrderApproval): string {
  if (state !== 'WAITING' || customerRequestId === null) return requestId;
  return JSON.stringify([customerRequestId, sender.id, currency, rule.id, level]);
}
