import type { Actor } from '../../ground/contract/actor.ts';
import { type Queryable, queryOne } from '../../ground/database/database.ts';
import type { AuditAction } from '../../ground/values/audit-actions.ts';
import { audit } from '../workspaces/audit.ts';

/** Writes to the audit log what was done to a member, with the name that people know them by. */
export async function auditMember(
  tx: Queryable,
  actor: Actor,
  workspaceId: number,
  action: AuditAction,
  id: number,
  detail: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const name = await readName(tx, workspaceId, id);
  await audit(tx, { workspaceId, actor, action, subject: { id, name }, detail });
}

/** The name that people know a member by: without a name, their address or their number. */
export async function readName(tx: Queryable, workspaceId: number, id: number): Promise<string | null> {
  const { name } = await queryOne<{ name: string | null }>(tx, nameSql, [workspaceId, id]);
  return name;
}

const nameSql = `
  select coalesce(nullif(trim(first_name || ' ' || last_name), ''), email, employee_number, user_name) as name
    from members
   where workspace_id = $1
     and id = $2`;
