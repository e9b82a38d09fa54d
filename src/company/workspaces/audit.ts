import type { Actor } from '../../ground/contract/actor.ts';
import type { Queryable } from '../../ground/database/database.ts';
import { takeFromSequence } from '../../ground/database/ids.ts';
import type { AuditAction } from '../../ground/values/audit-actions.ts';
import { chainBeforeCommit, rekey } from './audit-chain.ts';
import { replayedMoment } from './replayed.ts';

export interface NewAuditEntry {
  workspaceId: number;
  actor: Actor;
  /** The kind of record and what was done to it, for example `token.created`. */
  action: AuditAction;
  /** The record: its id, and its name for people. */
  subject?: { id: number | string | null; name: string | null };
  /** What else a reader wants to know. Never a secret. */
  detail?: Readonly<Record<string, unknown>>;
}

/**
 * Writes entries to the audit log. The function that makes a change calls this in the same transaction, with the actor that its caller
 * names. So there is never a change without its entry, and every entry point writes the same one. The chain takes the entries in before the
 * commit.
 */
export async function audit(tx: Queryable, ...entries: NewAuditEntry[]): Promise<void> {
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
    `insert into audit_log (workspace_id, id, at, actor, actor_id, actor_name, action, subject_id, subject_name, detail)
     select workspace_id, id, coalesce($2::timestamptz, now()), actor, actor_id, actor_name, action, subject_id, subject_name, detail
       from jsonb_to_recordset($1) as entry (
              workspace_id bigint, id bigint, actor text, actor_id bigint, actor_name text, action text, subject_id text,
              subject_name text, detail jsonb)`,
    [JSON.stringify(rows), replayedMoment(tx) ?? null],
  );
  for (const [workspaceId, some] of Map.groupBy(rows, (row) => row.workspace_id))
    chainBeforeCommit(
      tx,
      workspaceId,
      some.map(({ id }) => id as number),
    );
}

/** Notes that names were removed from entries, with hashes of what is left: verification compares the entries with these. */
export async function auditRemovedNames(tx: Queryable, workspaceId: number, ids: readonly number[]): Promise<void> {
  const hashes = await rekey(tx, workspaceId, ids);
  if (hashes.length === 0) return;
  const detail = { entries: hashes.length, hashes: hashes.join(' ') };
  await audit(tx, { workspaceId, actor: theService, action: 'audit.names_removed', detail });
}

/** An operator at the command line. They have access to the database itself, so there is no name to check. */
export const atTheCommandLine: Actor = { is: 'CLI', id: null, name: null };

/** What the service does without a request. */
export const theService: Actor = { is: 'SYSTEM', id: null, name: null };
