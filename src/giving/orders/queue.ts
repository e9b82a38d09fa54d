/** The channel on which acceptance tells workers which workspaces have new orders. */
export const ordersChannel = 'giftwire_orders';

const columns = 'workspace_id, number, request_id, gifts, accepted_at';

/**
 * The pending orders, as an SQL table. Nodes of 0.8.0 list some of them in `newer_pending_orders`, with numbers of the same sequence. PostgreSQL reads
 * the index of each table, and merges them.
 */
export const allPending = `(select ${columns} from pending_orders union all select ${columns} from newer_pending_orders)`;

/** All orders without an outcome, as an SQL table: those that are pending, and those that wait for a decision. */
export const allWaiting = `(select workspace_id, request_id from ${allPending} pending
                            union all
                            select workspace_id, request_id from held_orders)`;

/** Under which keys `held_orders` finds orders by the addresses and employee numbers of their recipients. */
export function recipientKeys(emailKeys: readonly string[], employeeNumbers: readonly string[]): string[] {
  return [...new Set([...emailKeys.map((key) => `a:${key}`), ...employeeNumbers.map((number) => `n:${number}`)])];
}

/**
 * The CTEs `queued` and `wake_up`: they list orders as pending, in the sequence of `orders` (a select of workspace_id, request_id
 * and gifts), and notify the workers when they are committed. A notification has a line for each workspace, with the number of its
 * first order (`wakeNamed`). PostgreSQL allows 8,000 bytes, which is enough for a batch whose orders are all of different workspaces.
 */
export function queueSql(orders: string): string {
  return `queued as (
    insert into pending_orders (workspace_id, request_id, gifts)
    ${orders}
    returning workspace_id, number
  ),
  wake_up as (
    select pg_notify('${ordersChannel}', string_agg(format('%s %s', workspace_id, number), E'\\n'))
      from (select workspace_id, min(number) as number from queued group by workspace_id) first_orders
    having count(*) > 0
  )`;
}
