import type { OrderRequest } from '../../ground/contract/order.ts';

/** How many gifts an order has. `body` is the order as it was sent, in SQL. */
export function giftCount(body: string): string {
  return `jsonb_array_length(${body} -> 'orderItems')`;
}

/** What the gifts of an order are for; null where the order does not say it. */
export function noteOf(body: string): string {
  return `nullif(${body} ->> 'note', '')`;
}

/** Whether a gift of the order has its own time of delivery or language. */
export function hasOwnTerms({ orderItems }: OrderRequest): boolean {
  return orderItems.some(({ deliverAt, language }) => deliverAt || language);
}
