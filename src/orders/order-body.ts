/** How many gifts an order has. `body` is the order as it was sent, in SQL. */
export function giftCount(body: string): string {
  return `jsonb_array_length(${body} -> 'orderItems')`;
}

/** The sum of an order's gifts, in the order's currency. */
export function orderTotal(body: string): string {
  return `(select sum((item ->> 'amount')::numeric)
            from jsonb_array_elements(${body} -> 'orderItems') as item)`;
}
