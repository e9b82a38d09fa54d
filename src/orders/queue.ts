/**
 * The CTEs `queued` and `wake_up`: they list orders as pending, in the sequence of `orders` (a select of workspace_id, request_id
 * and gifts), and add the job that wakes their workspaces. The payload's numbers are for this version, its requestIds and
 * gifts for workers of the previous version.
 */
export function queueSql(orders: string): string {
  return `queued as (
    insert into pending_orders (workspace_id, request_id, gifts)
    ${orders}
    returning workspace_id, number, request_id, gifts
  ),
  wake_up as (
    select graphile_worker.add_job('fulfil', json_build_object(
             'workspaceIds', json_agg(workspace_id), 'numbers', json_agg(number),
             'requestIds', json_agg(request_id), 'gifts', json_agg(gifts)))
      from queued
    having count(*) > 0
  )`;
}
