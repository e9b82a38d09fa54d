import type { Queryable } from '../database/database.ts';
import { memberByAddress, memberByNumber } from './who.ts';

/**
 * The member that a text names: by id, login, e-mail address or employee number, in this order. Null where nobody is known
 * by it yet.
 */
export async function findByReference(tx: Queryable, workspaceId: number, reference: string): Promise<number | null> {
  const id = /^[1-9]\d{0,14}$/.test(reference) ? reference : null;
  const [found] = await tx.query<{ id: number | null }>(
    `select coalesce(
       (select coalesce(merged_into, id)
          from members
         where workspace_id = $1 and id = $3::bigint and not is_integration and deprovisioned_at is null),
       (select coalesce(merged_into, id)
          from members
         where workspace_id = $1 and user_name is not null and lower(user_name) = lower($2)),
       ${memberByAddress('$1', '$2')},
       ${memberByNumber('$1', '$2')}) as id`,
    [workspaceId, reference, id],
  );
  return found?.id ?? null;
}

/**
 * Gives people the manager that they wait for, where that is one of these members. Whoever adds members or changes what they
 * are known by calls this afterwards. The caller holds the workspace's lock.
 */
export async function settleManagers(tx: Queryable, workspaceId: number, memberIds: readonly number[]): Promise<void> {
  const [waiting] = await tx.query<{ exist: boolean }>(
    'select exists (select from members where workspace_id = $1 and manager_reference is not null) as exist',
    [workspaceId],
  );
  if (waiting?.exist) await tx.query(settleSql, [workspaceId, memberIds]);
}

const settleSql = `
  update members m
     set manager_id = arrived.id, manager_reference = null, changed_at = now()
    from members arrived
   where arrived.workspace_id = $1
     and arrived.id = any($2::bigint[])
     and m.workspace_id = $1
     and m.manager_reference is not null
     and (lower(m.manager_reference) in (arrived.email_key, lower(arrived.user_name))
          or m.manager_reference = arrived.employee_number)
     and m.id <> arrived.id`;
