import { type Actor, withoutName } from '../../ground/contract/actor.ts';
import { type Queryable, queryOptional } from '../../ground/database/database.ts';
import { Failure } from '../../ground/errors.ts';
import { lockWorkspace } from '../workspaces/lock.ts';
import { auditMember } from './audit.ts';
import { checkChangeable, checkPerson } from './change.ts';
import { recordsOf } from './who.ts';

/**
 * The ids of all records of people who are kept out of reports about individuals, the feed and automations, as a statement. They are few.
 * Everything that shows or picks individuals asks this; sums and counts of groups do not.
 */
export function keptOutRecords(workspaceId: string): string {
  return `
    select record.id
      from kept_out_members kept
     cross join lateral (${recordsOf(workspaceId, 'kept.member_id')}) record
     where kept.workspace_id = ${workspaceId}`;
}

/** The same as a set. */
export async function readKeptOut(on: Queryable, workspaceId: number): Promise<Set<number>> {
  const rows = await on.query<{ id: number }>(keptOutRecords('$1'), [workspaceId]);
  return new Set(rows.map(({ id }) => id));
}

/** Keeps a person out: the company with a reason, or the person with an objection, which has none. */
export async function keepOut(
  tx: Queryable,
  actor: Actor,
  workspaceId: number,
  id: number,
  reason: string | null,
): Promise<void> {
  await lockWorkspace(tx, workspaceId);
  await checkChangeable(tx, workspaceId, id);
  const changed = await tx.query(
    `insert into kept_out_members as k (workspace_id, member_id, reason, decided_by, decided_at)
     values ($1, $2, $3, $4, now())
         on conflict (workspace_id, member_id) do update
        set reason = excluded.reason, decided_by = excluded.decided_by, decided_at = excluded.decided_at
      where excluded.reason is not null
        and k.reason is distinct from excluded.reason
     returning k.member_id`,
    [workspaceId, id, reason, withoutName(actor)],
  );
  if (changed.length > 0)
    await auditMember(tx, actor, workspaceId, 'member.kept_out', id, reason === null ? {} : { reason });
}

/** Shows a person again. People themselves take back only their own objection. */
export async function letIn(
  tx: Queryable,
  actor: Actor,
  workspaceId: number,
  id: number,
  isThemselves = false,
): Promise<void> {
  await lockWorkspace(tx, workspaceId);
  await checkPerson(tx, workspaceId, id);
  if (isThemselves && (await readReason(tx, workspaceId, id)) !== null)
    throw new Failure('forbidden', 'Your company keeps you out of reports: ask the people team to change that.');
  const removed = await tx.query(
    `delete from kept_out_members where workspace_id = $1 and member_id in (${recordsOf('$1', '$2')}) returning member_id`,
    [workspaceId, id],
  );
  if (removed.length === 0) throw new Failure('conflict', 'This person is not kept out of reports.');
  await auditMember(tx, actor, workspaceId, 'member.let_in', id);
}

async function readReason(tx: Queryable, workspaceId: number, id: number): Promise<string | null> {
  const found = await queryOptional<{ reason: string }>(
    tx,
    `select reason from kept_out_members where workspace_id = $1 and member_id in (${recordsOf('$1', '$2')}) and reason is not null limit 1`,
    [workspaceId, id],
  );
  return found?.reason ?? null;
}
