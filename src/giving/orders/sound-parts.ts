import type { OrderRequest } from '../../ground/contract/order.ts';
import type { Fault } from '../../ground/errors.ts';
import { isObject } from '../../ground/values/differences.ts';

type OrderItem = OrderRequest['orderItems'][number];

/** The valid parts of an order. Null stands for an invalid part. */
export interface SoundOrder {
  orderItems: SoundItem[];
  currency: string | null;
  deliverAt: string | null;
  sender: NonNullable<OrderRequest['sender']> | null;
}

interface SoundItem {
  amount: number | null;
  recipient: OrderItem['recipient'] | null;
  reasonId: number | null;
  deliverAt: string | null;
}

/** `faults` are all faults of the order's form. What none of them names has the form that the schema asks for. */
export function readSoundParts(order: Record<string, unknown>, faults: readonly Fault[]): SoundOrder {
  const atFault = new Set(faults.flatMap(({ path }) => [path, ...pathsAbove(path)]));
  const isList = Array.isArray(order.orderItems) && !faults.some(({ path }) => path === 'orderItems');
  const items: unknown[] = isList ? (order.orderItems as unknown[]) : [];
  const soundOf = <T>(value: unknown, path: string) => (atFault.has(path) ? null : ((value ?? null) as T | null));
  return {
    orderItems: items.map((item, at) => {
      const fields = isObject(item) ? item : {};
      const path = `orderItems[${at}]`;
      return {
        amount: soundOf<number>(fields.amount, `${path}.amount`),
        recipient: soundOf<OrderItem['recipient']>(fields.recipient, `${path}.recipient`),
        reasonId: soundOf<number>(fields.reasonId, `${path}.reasonId`),
        deliverAt: soundOf<string>(fields.deliverAt, `${path}.deliverAt`),
      };
    }),
    currency: soundOf<string>(order.currency, 'currency'),
    deliverAt: soundOf<string>(order.deliverAt, 'deliverAt'),
    sender: soundOf<NonNullable<OrderRequest['sender']>>(order.sender, 'sender'),
  };
}

/** orderItems[2].recipient.email: orderItems[2].recipient, orderItems[2], orderItems. */
function pathsAbove(path: string): string[] {
  const above = path.replace(/(\.[^.[\]]+|\[\d+\])$/, '');
  return above === path ? [] : [above, ...pathsAbove(above)];
}
