import type { Queryable } from '../../ground/database/database.ts';
import { takeFromSequence } from '../../ground/database/ids.ts';
import type { Grant } from './grants.ts';

/** Who does something: a person in the console, a program with a token, an operator at the command line, or the service. */
export interface Actor {
  is: 'USER' | 'TOKEN' | 'CLI' | 'SYSTEM';
  id: number | null;
  name: string | null;
}

export interface AuditEntry {
  workspaceId: number;
  actor: Actor;
  /** The kind of thing and what was done to it, as `token.created`. */
  action: string;
  /** The thing: its id, and its name for people. */
  subject?: { id: number | string | null; name: string | null };
  /** What else a reader wants to know. Never a secret. */
  detail?: Readonly<Record<string, unknown>>;
}

/** Writes an entry of the audit log. Called in the transaction that makes the change, so that there is never one without the other. */
export async function audit(tx: Queryable, ...entries: AuditEntry[]): Promise<void> {
  if (entries.length === 0) return;
  const ids = await takeFromSequence(tx, 'audit_ids', entries.length);
  const rows = entries.map(({ workspaceId, actor, action, subject, detail = {} }, nth) => ({
    workspace_id: workspaceId,
    id: ids[nth],
    actor: actor.is,
    actor_id: actor.id,
    actor_name: actor.name,
    action,
    subject_id: subject?.id?.toString() ?? null,
    subject_name: subject?.name ?? null,
    detail,
  }));
  await tx.query(
    `insert into audit_log (workspace_id, id, actor, actor_id, actor_name, action, subject_id, subject_name, detail)
     select workspace_id, id, actor, actor_id, actor_name, action, subject_id, subject_name, detail
       from jsonb_to_recordset($1) as entry (
              workspace_id bigint, id bigint, actor text, actor_id bigint, actor_name text, action text, subject_id text,
              subject_name text, detail jsonb)`,
    [JSON.stringify(rows)],
  );
}

/** The caller of the HTTP interface, as the audit log names them. */
export function actorOf({ token, session }: Grant): Actor {
  if (session) return { is: 'USER', id: session.user.id, name: session.user.name };
  return { is: 'TOKEN', id: token?.id ?? null, name: token?.name ?? null };
}

/** Somebody at the command line: the database is theirs already, so there is no name to check. */
export const atTheCommandLine: Actor = { is: 'CLI', id: null, name: null };

/** What happens without anybody asking for it. */
export const theService: Actor = { is: 'SYSTEM', id: null, name: null };
