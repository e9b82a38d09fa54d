/** What an order costs: the sum of its gifts. `body` is the order as it was sent, in SQL. */
export function orderTotal(body: string): string {
  return `(select sum((item ->> 'amount')::numeric)
            from jsonb_array_elements(${body} -> 'orderItems') as item)`;
}

/** Most orders have no more gifts. */
const fewGifts = 6;

/**
 * The same for many orders at once. `items` is a column with the gifts of an order. Few gifts are added one by one, because
 * PostgreSQL takes twice as long for a subquery.
 */
export function orderTotals(items: string): string {
  const amountOf = (nth: number) => `(${items} -> ${nth} -> 'amount')::numeric`;
  const few = Array.from({ length: fewGifts }, (_, last) => {
    const amounts = Array.from({ length: last + 1 }, (_, nth) => amountOf(nth));
    return `when ${last + 1} then ${amounts.join(' + ')}`;
  });
  return `case jsonb_array_length(${items}) ${few.join(' ')}
           else (select sum((item ->> 'amount')::numeric) from jsonb_array_elements(${items}) as item) end`;
}

/** The highest amount of an order's gifts. */
export function largestGift(body: string): string {
  return `(select max((item ->> 'amount')::numeric)
            from jsonb_array_elements(${body} -> 'orderItems') as item)`;
}
