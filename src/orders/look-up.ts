/**
 * The row of an order's request in a table, as a lateral subquery. The limit makes it a look-up by key for each request,
 * whatever the planner believes of their number.
 */
export function lookUp(table: 'order_requests' | 'orders', key: string): string {
  return `
           select *
             from ${table}
            where workspace_id = ${key}.workspace_id
              and request_id = ${key}.request_id
            limit 1`;
}
