import type { Queryable } from '../../ground/database/database.ts';

/** The currency of the latest order of each workspace that has one. */
export async function latestCurrencies(
  database: Queryable,
  workspaceIds: readonly number[],
): Promise<Map<number, string>> {
  const rows = await database.query<{ workspaceId: number; currency: string }>(
    `select w.id as "workspaceId", latest.currency
       from unnest($1::bigint[]) as w (id)
       join lateral (select currency
                       from order_requests
                      where workspace_id = w.id
                      order by request_id desc
                      limit 1) latest on true`,
    [workspaceIds],
  );
  return new Map(rows.map(({ workspaceId, currency }) => [workspaceId, currency]));
}
