/**
 * The row of an order's request in a table, as a lateral subquery. Because of the limit, PostgreSQL always looks each request up
 * by key. Without it, a wrong estimate of the number of requests could make the planner scan the table.
 */
export function lookUp(table: 'order_requests' | 'orders', key: string, workspace: string): string {
  return `
           select *
             from ${table}
            where workspace_id = ${workspace}
              and request_id = ${key}.request_id
            limit 1`;
}
