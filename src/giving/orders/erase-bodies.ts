import { erasedHash } from '../../company/workspaces/erased-bodies.ts';
import type { Queryable } from '../../ground/database/database.ts';
import { neutral } from '../../ground/values/personal.ts';

/**
 * Removes the texts and recipients of erased people from orders as they were sent. Amounts stay, gifts to other people too, without the texts of an
 * erased sender. A hash of the whole order recognizes a repeated request. `after` is the last order of the batch before. Returns the last one of this
 * batch; null after the last batch. The caller holds the workspace's lock.
 */
export async function eraseBodies(
  tx: Queryable,
  workspaceId: number,
  records: readonly number[],
  after: string | null,
  most: number,
): Promise<string | null> {
  const rows = await tx.query<{ requestId: string }>(eraseSql, [workspaceId, records, after, most]);
  return rows.length < most ? null : (rows.at(-1)?.requestId ?? null);
}

const eraseSql = `
  with theirs as (
    select r.request_id, r.sender_id = any($2::bigint[]) as is_sender
      from order_requests r
     where r.workspace_id = $1
       and ($3::uuid is null or r.request_id > $3::uuid)
       and (r.sender_id = any($2::bigint[])
            or r.request_id in (select c.request_id
                                  from certificates c
                                 where c.workspace_id = $1
                                   and c.member_id = any($2::bigint[])))
     order by r.request_id
     limit $4
  ),
  erased as (
    update order_requests r
       set body = (r.body - case when t.is_sender then '{note,sender,batch}'::text[] else '{}'::text[] end)
                  || jsonb_build_object(
                       'erased', ${erasedHash('r.body')},
                       'orderItems', (select jsonb_agg(
                                               case when c.member_id = any($2::bigint[])
                                                    then (item.value - 'message') || jsonb_build_object('message', ${neutral}, 'recipient', '{}'::jsonb)
                                                    when t.is_sender
                                                    then item.value || jsonb_build_object('message', ${neutral})
                                                    else item.value end order by item.nth)
                                        from jsonb_array_elements(r.body -> 'orderItems') with ordinality as item (value, nth)
                                        left join certificates c
                                               on c.workspace_id = $1
                                              and c.request_id = r.request_id
                                              and c.position = item.nth - 1))
      from theirs t
     where r.workspace_id = $1
       and r.request_id = t.request_id
  )
  select request_id as "requestId" from theirs order by request_id`;
