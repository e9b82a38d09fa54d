import { shownName } from '../../company/directory/names.ts';
import { recordsOf, survivorOf } from '../../company/directory/who.ts';
import { audit } from '../../company/workspaces/audit.ts';
import type { Actor } from '../../ground/contract/actor.ts';
import type { Deputy, NewDeputy } from '../../ground/contract/deputy.ts';
import { type Queryable, queryOptional } from '../../ground/database/database.ts';
import { Failure, invalid } from '../../ground/errors.ts';
import { deciderOf, readDeciders } from './deciders.ts';

export async function readDeputy(on: Queryable, workspaceId: number, memberId: number): Promise<Deputy> {
  const deputy = await findDeputy(on, workspaceId, memberId);
  if (!deputy) throw new Failure('missing', 'You have named no deputy.');
  return deputy;
}

function findDeputy(on: Queryable, workspaceId: number, memberId: number): Promise<Deputy | null> {
  return queryOptional<Deputy>(
    on,
    `select m.id as "memberId", d.from_day::text as from, d.to_day::text as to, ${shownName('m')} as name
       from deputies d
       join members named on named.workspace_id = d.workspace_id and named.id = d.deputy_id
       join members m     on m.workspace_id = d.workspace_id and m.id = ${survivorOf('named')}
      where d.workspace_id = $1
        and d.member_id in (${recordsOf('$1', '$2')})
      order by d.to_day desc, d.member_id
      limit 1`,
    [workspaceId, memberId],
  );
}

/** Names who decides for a member on these days, and after the member has left. It replaces an earlier deputy. */
export async function nameDeputy(
  tx: Queryable,
  actor: Actor,
  workspaceId: number,
  memberId: number,
  deputy: NewDeputy,
): Promise<Deputy> {
  const { memberId: deputyId, from, to } = deputy;
  if (to < from) throw invalid([{ path: 'to', problem: 'must not be before `from`' }]);
  const deciders = await readDeciders(tx, workspaceId);
  if (deputyId === deciderOf(deciders, memberId) || !deciders.people.has(deputyId))
    throw invalid([{ path: 'memberId', problem: 'must be another person who is here and whose role may decide' }]);
  const before = await findDeputy(tx, workspaceId, memberId);
  if (before?.memberId === deputyId && before.from === from && before.to === to) return before;
  await deleteDeputies(tx, workspaceId, memberId);
  await tx.query(
    `insert into deputies (workspace_id, member_id, deputy_id, from_day, to_day) values ($1, $2, $3, $4, $5)`,
    [workspaceId, memberId, deputyId, from, to],
  );
  const named = await readDeputy(tx, workspaceId, memberId);
  const subject = { id: named.memberId, name: named.name };
  await audit(tx, { workspaceId, actor, action: 'member.deputy_named', subject, detail: { from, to } });
  return named;
}

export async function removeDeputy(tx: Queryable, actor: Actor, workspaceId: number, memberId: number): Promise<void> {
  const { memberId: id, name } = await readDeputy(tx, workspaceId, memberId);
  await deleteDeputies(tx, workspaceId, memberId);
  await audit(tx, { workspaceId, actor, action: 'member.deputy_removed', subject: { id, name } });
}

/** A person whose records were merged may have named one as each of them. */
async function deleteDeputies(tx: Queryable, workspaceId: number, memberId: number): Promise<void> {
  await tx.query(`delete from deputies where workspace_id = $1 and member_id in (${recordsOf('$1', '$2')})`, [
    workspaceId,
    memberId,
  ]);
}
