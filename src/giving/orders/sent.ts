/**
 * True for a person `alias` of `members` of the workspace $1 who is the sender of an order from the day before $3 on: the ids of orders begin with the
 * time. Older orders are not looked at.
 */
export function isSender(alias: string): string {
  const first = `(lpad(to_hex((extract(epoch from $3::timestamptz - interval '1 day') * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid`;
  return `${alias}.id in (select r.sender_id from order_requests r where r.workspace_id = $1 and r.request_id >= ${first})`;
}
