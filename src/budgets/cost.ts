/** What an order costs: the sum of its gifts. `body` is the order as it was sent, in SQL. */
export function orderTotal(body: string): string {
  return `(select sum((item ->> 'amount')::numeric)
            from jsonb_array_elements(${body} -> 'orderItems') as item)`;
}

/** The highest amount of an order's gifts. */
export function largestGift(body: string): string {
  return `(select max((item ->> 'amount')::numeric)
            from jsonb_array_elements(${body} -> 'orderItems') as item)`;
}
