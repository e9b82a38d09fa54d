import { shownName } from '../../company/directory/names.ts';
import { type Actor, withoutName } from '../../ground/contract/actor.ts';
import type { ErasurePage, ErasureQuery, PersonErasure } from '../../ground/contract/erasure.ts';
import { type Queryable, queryCount } from '../../ground/database/database.ts';
import { pageFields } from '../../ground/values/page.ts';

/** The names are not stored with the erasure: people who are erased later would stay in it. */
export const withNameOfToday = (column: string) => `
  case when ${column} is not null
       then ${column} || jsonb_build_object('name', case ${column} ->> 'is'
              when 'USER' then (select u.name from users u where u.id = (${column} ->> 'id')::bigint)
              when 'TOKEN' then (select t.name from api_tokens t where t.id = (${column} ->> 'id')::bigint) end) end`;

/** The fields of an erasure `e`. */
export const erasureFields = `
  e.state, ${withNameOfToday('e.requested_by')} as "requestedBy", e.requested_at as "requestedAt", ${withNameOfToday('e.confirmed_by')} as "confirmedBy",
  e.due_at as "dueAt", e.done_at as "doneAt"`;

/** Which erasures `e` each list has. $2 is who asks for it. */
const conditions = {
  OPEN: `e.state in ('REQUESTED', 'WAITING', 'RUNNING') and $2::jsonb is not null`,
  TO_CONFIRM: `e.state = 'REQUESTED' and e.requested_by <> $2::jsonb`,
  ENDED: `e.state in ('DONE', 'STOPPED') and $2::jsonb is not null`,
} as const;

/** The erasures of a workspace: those that wait or run, those that the caller can confirm, or those that have ended. */
export async function listErasures(
  on: Queryable,
  workspaceId: number,
  caller: Actor,
  { state, page, size }: ErasureQuery,
): Promise<ErasurePage> {
  const asking = JSON.stringify(withoutName(caller));
  const fits = `e.workspace_id = $1 and ${conditions[state]}`;
  const total = await queryCount(on, `select count(*) from erasures e where ${fits}`, [workspaceId, asking]);
  const order =
    state === 'ENDED' ? 'coalesce(e.done_at, e.requested_at) desc, e.member_id desc' : 'e.requested_at, e.member_id';
  const erasures = await on.query<PersonErasure>(
    `select e.member_id as "memberId", nullif(${shownName('m')}, '') as name, ${erasureFields}
       from erasures e
       join members m on m.workspace_id = e.workspace_id and m.id = e.member_id
      where ${fits}
      order by ${order}
     offset $3 limit $4`,
    [workspaceId, asking, page * size, size],
  );
  return { ...pageFields({ page, size }, total), erasures };
}
