import type { Queryable } from '../database/database.ts';
import type { UserFields } from './user-fields.ts';

export interface Owner {
  field: 'userName' | 'email' | 'employeeNumber';
  id: number;
  /** A resource that SCIM has made or taken over. */
  managed: boolean;
}

/**
 * Who has what a user must not share with another; the name of somebody without one is their address. A record that was
 * merged stands for the one that remains.
 */
export function readOwners(
  tx: Queryable,
  workspaceId: number,
  { userName, email, employeeNumber }: UserFields,
): Promise<Owner[]> {
  return tx.query<Owner>(ownersSql, [workspaceId, userName, email, employeeNumber]);
}

const ownersSql = `
  select found.field, p.id, p.user_name is not null and p.deprovisioned_at is null as managed
    from (select 1 as nth, 'userName' as field, coalesce(merged_into, id) as id
            from members
           where workspace_id = $1 and lower(user_name) = lower($2::text) and user_name is not null
           union all
          select 1, 'userName', coalesce(merged_into, id)
            from members
           where workspace_id = $1 and user_name is null and email_key = lower($2::text)
           union all
          select 2, 'email', coalesce(merged_into, id)
            from members
           where workspace_id = $1 and email_key = lower($3::text)
           union all
          select 3, 'employeeNumber', coalesce(merged_into, id)
            from members
           where workspace_id = $1 and employee_number = $4::text) found
    join members p on p.workspace_id = $1 and p.id = found.id
   order by found.nth`;
