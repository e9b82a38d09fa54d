import { erasedHash } from '../../company/workspaces/erased-bodies.ts';

/** How many gifts an order has. `body` is the order as it was sent, in SQL. */
export function giftCount(body: string): string {
  return `jsonb_array_length(${body} -> 'orderItems')`;
}

/** What the gifts of an order are for; null where the order does not say it. */
export function noteOf(body: string): string {
  return `nullif(${body} ->> 'note', '')`;
}

/** The hash of an order as it was sent, as SQL. Of a body of which parts were removed, the body keeps it. */
export function originalHash(body: string): string {
  return `decode(${erasedHash(body)} #>> '{}', 'hex')`;
}
