import type { Actor } from '../../ground/contract/actor.ts';
import type { Queryable } from '../../ground/database/database.ts';
import type { AuditAction } from '../../ground/values/audit-actions.ts';
import { audit } from '../workspaces/audit.ts';
import { shownName } from './names.ts';

/** Writes to the audit log what was done to a member, with the name that people know them by. */
export async function auditMember(
  tx: Queryable,
  actor: Actor,
  workspaceId: number,
  action: AuditAction,
  id: number,
  detail: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  await auditMembers(tx, actor, workspaceId, action, [id], detail);
}

/** The same for many members. */
export async function auditMembers(
  tx: Queryable,
  actor: Actor,
  workspaceId: number,
  action: AuditAction,
  ids: readonly number[],
  detail: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const subjects = await readSubjects(tx, workspaceId, ids);
  await audit(tx, ...subjects.map((subject) => ({ workspaceId, actor, action, subject, detail })));
}

/** The name that people know a member by: without a name, their address or their number. */
export async function readName(tx: Queryable, workspaceId: number, id: number): Promise<string | null> {
  const [subject] = await readSubjects(tx, workspaceId, [id]);
  return subject?.name ?? null;
}

/** The names that people know these members by. */
export function readSubjects(
  tx: Queryable,
  workspaceId: number,
  ids: readonly number[],
): Promise<{ id: number; name: string | null }[]> {
  return tx.query(namesSql, [workspaceId, ids]);
}

const namesSql = `
  select id, coalesce(nullif(${shownName('members')}, ''), email, employee_number, user_name) as name
    from members
   where workspace_id = $1
     and id = any($2::bigint[])
   order by id`;
