import type { Actor } from '../../ground/contract/actor.ts';
import type { Queryable } from '../../ground/database/database.ts';
import { readMoments } from '../workspaces/days.ts';

/** An entry of the audit log, as people read it. */
export interface AuditRecord {
  id: number;
  at: Date;
  actor: Actor['is'];
  actorId: number | null;
  actorName: string | null;
  action: string;
  subjectId: string | null;
  subjectName: string | null;
  detail: Record<string, unknown>;
}

export interface AuditFilters {
  actor?: Actor['is'];
  actorId?: number;
  /** A whole action, for example `token.created`, or its first word. */
  action?: string;
  subjectId?: string;
  /** A day in the workspace's time zone, or a moment. */
  from?: string;
  to?: string;
}

export interface AuditPlace {
  after?: number;
  size: number;
}

/** A page of the audit log, the latest first. */
export async function readAudit(
  database: Queryable,
  workspaceId: number,
  filters: AuditFilters,
  { after, size }: AuditPlace,
): Promise<{ entries: AuditRecord[]; next: number | null }> {
  const span = await readMoments(database, workspaceId, filters);
  const { sql, values } = auditSql(workspaceId, filters, span, {
    size: size + 1,
    ...(after !== undefined && { after }),
  });
  const found = await database.query<AuditRecord>(sql, values, 'once');
  const entries = found.slice(0, size);
  return { entries, next: found.length > size ? (entries.at(-1)?.id ?? null) : null };
}

/** Planned for the filters that are set, because the best index depends on them. */
function auditSql(
  workspaceId: number,
  filters: AuditFilters,
  span: { from: string; to: string },
  { after, size }: AuditPlace,
) {
  const values: unknown[] = [];
  const bind = (value: unknown, type: string) => `$${values.push(value)}::${type}`;
  const { actor, actorId, action, subjectId, from, to } = filters;
  const conditions = [
    `workspace_id = ${bind(workspaceId, 'bigint')}`,
    actor !== undefined && `actor = ${bind(actor, 'text')}`,
    actorId !== undefined && `actor_id = ${bind(actorId, 'bigint')}`,
    action !== undefined && `(action = ${bind(action, 'text')} or starts_with(action, ${bind(`${action}.`, 'text')}))`,
    subjectId !== undefined && `subject_id = ${bind(subjectId, 'text')}`,
    from !== undefined && `at >= ${bind(span.from, 'timestamptz')}`,
    to !== undefined && `at < ${bind(span.to, 'timestamptz')}`,
    after !== undefined && `id < ${bind(after, 'bigint')}`,
  ].filter((condition) => condition !== false);
  const sql = `
    select id, at, actor, actor_id as "actorId", actor_name as "actorName", action, subject_id as "subjectId",
           subject_name as "subjectName", detail
      from audit_log
     where ${conditions.join(' and ')}
     order by id desc
     limit ${bind(size, 'int')}`;
  return { sql, values };
}
