/** What an order costs: the sum of its gifts. `body` is the order as it was sent, in SQL. */
export function orderTotal(body: string): string {
  return `(select sum((item ->> 'amount')::numeric)
            from jsonb_array_elements(${body} -> 'orderItems') as item)`;
}

/** Most orders have no more gifts. */
const fewGifts = 6;

/**
 * The same where many orders are added up. `items` is a column with the gifts of an order. The amounts of few gifts are taken one by
 * one, because PostgreSQL takes twice as long for a subquery.
 */
export function totalOfGifts(items: string): string {
  const amountsOf = (count: number) =>
    Array.from({ length: count }, (_, nth) => `(${items} -> ${nth} -> 'amount')::numeric`);
  const cases = Array.from(
    { length: fewGifts },
    (_, less) => `when ${less + 1} then ${amountsOf(less + 1).join(' + ')}`,
  );
  return `case jsonb_array_length(${items})
                ${cases.join('\n                ')}
                else (select sum((item ->> 'amount')::numeric) from jsonb_array_elements(${items}) as item) end`;
}
