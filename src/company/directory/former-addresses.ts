import type { Queryable } from '../../ground/database/database.ts';
import { addressKey } from './who.ts';

/**
 * Keeps the addresses and logins that an update is about to replace: they find the same member (see who.ts) until another person
 * else has them. `changes` are rows of members as JSON with the keys that change, as updateMembers has them.
 */
export async function keepFormerAddresses(tx: Queryable, workspaceId: number, changes: string): Promise<void> {
  await tx.query(keepSql, [workspaceId, changes]);
}

const keepSql = `
  insert into former_addresses (workspace_id, email_key, member_id)
  select distinct on (given_up.key) m.workspace_id, given_up.key, m.id
    from jsonb_array_elements($2::jsonb) as change
   cross join lateral (select *
                         from members
                        where workspace_id = $1::bigint
                          and id = (change ->> 'id')::bigint
                        limit 1) m
   cross join lateral (values (1, m.email_key, change ? 'email', ${addressKey("change ->> 'email'")}),
                              (2, ${addressKey('m.user_name')}, change ? 'user_name', ${addressKey("change ->> 'user_name'")}))
              as given_up (nth, key, is_told, next)
   where given_up.is_told
     and given_up.key like '%@%'
     and given_up.key is distinct from given_up.next
   order by given_up.key, given_up.nth
  on conflict (workspace_id, email_key) do update set member_id = excluded.member_id`;
