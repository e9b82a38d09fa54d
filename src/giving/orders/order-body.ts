/** How many gifts an order has. `body` is the order as it was sent, in SQL. */
export function giftCount(body: string): string {
  return `jsonb_array_length(${body} -> 'orderItems')`;
}
