import { checkPerson } from '../../company/directory/change.ts';
import { audit, theService } from '../../company/workspaces/audit.ts';
import { lockWorkspace } from '../../company/workspaces/lock.ts';
import { readWorkspace } from '../../company/workspaces/workspaces.ts';
import { type Actor, withoutName } from '../../ground/contract/actor.ts';
import type { Erasure, ErasureObstacle } from '../../ground/contract/erasure.ts';
import { type Queryable, queryOptional } from '../../ground/database/database.ts';
import { Failure } from '../../ground/errors.ts';
import { erasureFields } from './list.ts';
import { listObstacles } from './obstacles.ts';
import type { Work } from './steps.ts';

/** How long an erasure that one person asked for can be stopped. */
const pause = `interval '1 day'`;

/** The erasure of a person, as far as it has come; null if it was not asked for. */
export async function readErasure(on: Queryable, workspaceId: number, id: number): Promise<Erasure | null> {
  return queryOptional<Erasure>(
    on,
    `select ${erasureFields} from erasures e where e.workspace_id = $1 and e.member_id = $2`,
    [workspaceId, id],
  );
}

/**
 * Asks for the erasure of a person. It begins when a second person has agreed, or after a day in which it can be stopped, as the workspace says. While
 * something is open, for example an amount that they can still spend, it is rejected.
 */
export async function requestErasure(tx: Queryable, actor: Actor, workspaceId: number, id: number): Promise<Erasure> {
  await lockWorkspace(tx, workspaceId);
  await checkPerson(tx, workspaceId, id);
  await checkNotAsked(tx, workspaceId, id);
  const [first] = await listObstacles(tx, workspaceId, id);
  if (first) throw new Failure('conflict', cannotYet(first));
  const { erasureNeedsTwo } = await readWorkspace(tx, workspaceId);
  await noteRequested(tx, actor, workspaceId, id, erasureNeedsTwo);
  return (await readErasure(tx, workspaceId, id)) as Erasure;
}

/**
 * Asks for the erasure of a person who has left, as the workspace decided when it set the days: it begins after a day, and no second person agrees. False:
 * something is open.
 */
export async function requestByAge(tx: Queryable, workspaceId: number, id: number): Promise<boolean> {
  await lockWorkspace(tx, workspaceId);
  await checkPerson(tx, workspaceId, id);
  if ((await listObstacles(tx, workspaceId, id)).length > 0) return false;
  await checkNotAsked(tx, workspaceId, id);
  await noteRequested(tx, theService, workspaceId, id, false);
  return true;
}

async function checkNotAsked(tx: Queryable, workspaceId: number, id: number): Promise<void> {
  const open = await readErasure(tx, workspaceId, id);
  if (open && open.state !== 'STOPPED')
    throw new Failure('conflict', 'The erasure of this person was asked for already.');
}

async function noteRequested(
  tx: Queryable,
  actor: Actor,
  workspaceId: number,
  id: number,
  needsTwo: boolean,
): Promise<void> {
  await tx.query(
    `insert into erasures (workspace_id, member_id, state, requested_by, requested_at, due_at)
     values ($1, $2, case when $4 then 'REQUESTED' else 'WAITING' end, $3, now(), case when not $4 then now() + ${pause} end)
         on conflict (workspace_id, member_id) do update
        set state = excluded.state, requested_by = excluded.requested_by, requested_at = excluded.requested_at,
            confirmed_by = null, due_at = excluded.due_at`,
    [workspaceId, id, withoutName(actor), needsTwo],
  );
  await audit(tx, { workspaceId, actor, action: 'member.erasure_requested', subject: { id, name: null } });
}

/** What has to happen first. */
const sentences = {
  OPEN_GIFTS: 'they have gifts that are not spent. Let them spend these, or cancel them.',
  OPEN_REQUESTS: 'a request of theirs is open. Fulfil or decline it first.',
  UNPAID: 'redemptions of theirs are in no payroll export yet. Close one first.',
  PENDING_ORDERS: 'an order from them or for them waits. Decide about it first.',
  LEGAL_HOLD: 'they are on legal hold. Release it first.',
  LAST_OWNER: 'they are the last owner of the workspace. Make another user an owner first.',
} as const;

export const cannotYet = ({ kind }: ErasureObstacle) => `This person cannot be erased yet: ${sentences[kind]}`;

/** A second person agrees: the erasure begins. A token is no second person: the person who asked for the erasure may hold it. */
export async function confirmErasure(tx: Queryable, actor: Actor, workspaceId: number, id: number): Promise<Erasure> {
  if (actor.is === 'TOKEN')
    throw new Failure('forbidden', 'Only a person who has signed in can confirm an erasure. A token cannot.');
  await lockWorkspace(tx, workspaceId);
  await checkPerson(tx, workspaceId, id);
  const open = await readErasure(tx, workspaceId, id);
  if (open?.state !== 'REQUESTED')
    throw new Failure('conflict', 'No erasure of this person waits for a second person.');
  if (open.requestedBy.is === actor.is && open.requestedBy.id === actor.id)
    throw new Failure('conflict', 'You have asked for this erasure yourself: another person has to confirm it.');
  await tx.query(
    `update erasures set state = 'WAITING', confirmed_by = $3, due_at = now() where workspace_id = $1 and member_id = $2`,
    [workspaceId, id, withoutName(actor)],
  );
  await audit(tx, { workspaceId, actor, action: 'member.erasure_confirmed', subject: { id, name: null } });
  return (await readErasure(tx, workspaceId, id)) as Erasure;
}

/** Stops an erasure that has not begun. */
export async function stopErasure(tx: Queryable, actor: Actor, workspaceId: number, id: number): Promise<Erasure> {
  await lockWorkspace(tx, workspaceId);
  await checkPerson(tx, workspaceId, id);
  await endErasure(tx, actor, workspaceId, id);
  return (await readErasure(tx, workspaceId, id)) as Erasure;
}

/** Stops it; `reason`: why it could not begin, for the audit log. The caller holds the workspace's lock. */
export async function endErasure(
  tx: Queryable,
  actor: Actor,
  workspaceId: number,
  id: number,
  reason: string | null = null,
): Promise<void> {
  const stopped = await tx.query(
    `update erasures set state = 'STOPPED', due_at = null
      where workspace_id = $1 and member_id = $2 and state in ('REQUESTED', 'WAITING')
     returning member_id`,
    [workspaceId, id],
  );
  if (stopped.length === 0) throw new Failure('conflict', 'No erasure of this person waits: there is nothing to stop.');
  const detail = reason === null ? {} : { reason };
  await audit(tx, { workspaceId, actor, action: 'member.erasure_stopped', subject: { id, name: null }, detail });
}

/** Notes that the record of a person is erased, and what is left to do. `actor` asked for it, if no one did before. */
export async function noteBegun(
  tx: Queryable,
  actor: Actor,
  workspaceId: number,
  id: number,
  { records, accounts, traces }: Work,
): Promise<void> {
  await tx.query(
    `insert into erasures (workspace_id, member_id, state, requested_by, requested_at, traces, records)
     values ($1, $2, 'RUNNING', $3, now(), $4, $5)
         on conflict (workspace_id, member_id) do update
        set state = 'RUNNING', due_at = null, done_at = null, traces = excluded.traces, records = excluded.records`,
    [workspaceId, id, withoutName(actor), JSON.stringify({ records, accounts, ...traces }), records],
  );
}
