import { recordUndo, type UndoKind } from '../../company/undo/undo.ts';
import { audit } from '../../company/workspaces/audit.ts';
import { noWorkspace } from '../../company/workspaces/workspaces.ts';
import type { Actor } from '../../ground/contract/actor.ts';
import type { NewReason, Reason, ReasonChange } from '../../ground/contract/reason.ts';
import { type Queryable, queryOne } from '../../ground/database/database.ts';
import { Failure } from '../../ground/errors.ts';
import type { AuditAction } from '../../ground/values/audit-actions.ts';
import { changesAnything } from '../../ground/values/differences.ts';

/** True for a reason `alias` that new gifts and shoutouts can name. */
function isOffered(alias: string): string {
  return `${alias}.retired_at is null`;
}

/** The reasons that a workspace offers, the default first. */
export function listReasons(database: Queryable, workspaceId: number): Promise<Reason[]> {
  return database.query<Reason>(
    `select r.id, r.description, r.id = w.default_reason_id as "isDefault"
       from reasons r
       join workspaces w on w.id = r.workspace_id
      where r.workspace_id = $1
        and ${isOffered('r')}
      order by r.id <> w.default_reason_id, lower(r.description), r.id`,
    [workspaceId],
  );
}

/** The same for a change, before which no other one comes. */
export async function listReasonsToChange(tx: Queryable, workspaceId: number): Promise<Reason[]> {
  await lockReasons(tx, workspaceId);
  return listReasons(tx, workspaceId);
}

/** Those of these reasons that the workspace offers. */
export async function offeredReasons(on: Queryable, workspaceId: number, ids: readonly number[]): Promise<Set<number>> {
  if (ids.length === 0) return new Set();
  const rows = await on.query<{ id: number }>(
    `select r.id from reasons r where r.workspace_id = $1 and r.id = any($2::bigint[]) and ${isOffered('r')}`,
    [workspaceId, [...new Set(ids)]],
  );
  return new Set(rows.map(({ id }) => id));
}

export const notOffered = "is not one of the workspace's reasons";

/** Adds a reason. A retired one with the same words is offered again instead, in the new spelling. */
export async function addReason(
  tx: Queryable,
  actor: Actor,
  workspaceId: number,
  { description, isDefault }: NewReason,
): Promise<Reason> {
  await lockReasons(tx, workspaceId);
  const same = await findSame(tx, workspaceId, description);
  const offered = same.find(({ isRetired }) => !isRetired);
  if (offered) throw taken(offered.description);
  const [retired] = same;
  const { id } = await queryOne<{ id: number }>(
    tx,
    retired
      ? 'update reasons set retired_at = null, description = $2 where workspace_id = $1 and id = $3 returning id'
      : 'insert into reasons (workspace_id, description) values ($1, $2) returning id',
    [workspaceId, description, ...(retired ? [retired.id] : [])],
  );
  if (isDefault) await makeDefault(tx, workspaceId, id);
  const added = await findReason(tx, workspaceId, id);
  await auditReason(tx, workspaceId, actor, 'reason.added', added);
  return added;
}

/** Renames a reason, or makes it the default. */
export async function changeReason(
  tx: Queryable,
  actor: Actor,
  workspaceId: number,
  id: number,
  change: ReasonChange,
): Promise<Reason> {
  const { description, isDefault } = change;
  await lockReasons(tx, workspaceId);
  const reason = await findReason(tx, workspaceId, id);
  if (!changesAnything(reason, change)) return reason;
  if (isDefault === false && reason.isDefault)
    throw new Failure('conflict', 'A workspace has one default reason: make another one the default instead.');
  if (description !== undefined && description !== reason.description) {
    const other = (await findSame(tx, workspaceId, description)).find((one) => one.id !== id);
    if (other) throw taken(other.description);
    await tx.query('update reasons set description = $3 where workspace_id = $1 and id = $2', [
      workspaceId,
      id,
      description,
    ]);
  }
  if (isDefault) await makeDefault(tx, workspaceId, id);
  const changed = await findReason(tx, workspaceId, id);
  await auditReason(tx, workspaceId, actor, 'reason.changed', changed);
  return changed;
}

/** Retires a reason: new shoutouts cannot name it, and what was given for it keeps it. */
export async function retireReason(tx: Queryable, actor: Actor, workspaceId: number, id: number): Promise<void> {
  await lockReasons(tx, workspaceId);
  const reason = await findReason(tx, workspaceId, id);
  if (reason.isDefault)
    throw new Failure('conflict', 'The default reason cannot be retired: make another one the default first.');
  await tx.query('update reasons set retired_at = now() where workspace_id = $1 and id = $2', [workspaceId, id]);
  await recordUndo(tx, actor, workspaceId, { kind: 'REASON', subjectId: id });
  await auditReason(tx, workspaceId, actor, 'reason.retired', reason);
}

/** Offers a retired reason again. No other reason can have got its words meanwhile. */
export const reasonUndo: UndoKind = {
  kind: 'REASON',
  action: 'reason.retirement_undone',
  scopesOf: () => ['recognition:manage'],
  readNames: (on, workspaceId, ids) =>
    on.query('select id, description as name from reasons where workspace_id = $1 and id = any($2::bigint[])', [
      workspaceId,
      ids,
    ]),
  async undo(tx, { workspaceId, subjectId }) {
    await lockReasons(tx, workspaceId);
    const offered = await tx.query(
      `update reasons r set retired_at = null where workspace_id = $1 and id = $2 and not (${isOffered('r')}) returning id`,
      [workspaceId, subjectId],
    );
    if (offered.length === 0)
      throw new Failure('conflict', 'This cannot be undone: the reason is offered again already.');
  },
};

function auditReason(
  tx: Queryable,
  workspaceId: number,
  actor: Actor,
  action: AuditAction,
  { id, description }: Reason,
) {
  return audit(tx, { workspaceId, actor, action, subject: { id, name: description } });
}

/** Lets one change at a time happen, so that there is always exactly one default, and it is offered. */
async function lockReasons(tx: Queryable, workspaceId: number): Promise<void> {
  const found = await tx.query('select from workspaces where id = $1 for no key update', [workspaceId]);
  if (found.length === 0) throw noWorkspace(workspaceId);
}

/**
 * Finds the reasons with these words in any case, retired ones too; the one with exactly this spelling comes first. There may be
 * several, because earlier versions distinguished case.
 */
function findSame(tx: Queryable, workspaceId: number, description: string) {
  return tx.query<{ id: number; description: string; isRetired: boolean }>(
    `select id, description, not (${isOffered('r')}) as "isRetired"
       from reasons r
      where workspace_id = $1
        and lower(description) = lower($2)
      order by description <> $2, id`,
    [workspaceId, description],
  );
}

async function findReason(tx: Queryable, workspaceId: number, id: number): Promise<Reason> {
  const reason = (await listReasons(tx, workspaceId)).find((one) => one.id === id);
  if (!reason) throw new Failure('missing', 'There is no reason with this id in this workspace.');
  return reason;
}

async function makeDefault(tx: Queryable, workspaceId: number, id: number): Promise<void> {
  await tx.query('update workspaces set default_reason_id = $2 where id = $1', [workspaceId, id]);
}

function taken(description: string): Failure {
  return new Failure('conflict', `There is a reason "${description}" already.`);
}
