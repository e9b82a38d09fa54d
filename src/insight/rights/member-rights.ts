import { checkPerson } from '../../company/directory/change.ts';
import { recordsOf } from '../../company/directory/who.ts';
import type { KeptOut, LegalHold, MemberRights } from '../../ground/contract/member-rights.ts';
import { type Queryable, queryOptional } from '../../ground/database/database.ts';
import { withNameOfToday } from './list.ts';

/** What is decided about the data of a person. */
export async function readMemberRights(on: Queryable, workspaceId: number, id: number): Promise<MemberRights> {
  await checkPerson(on, workspaceId, id);
  const hold = await queryOptional<LegalHold>(
    on,
    `select h.reason, ${withNameOfToday('h.placed_by')} as "placedBy", h.placed_at as "placedAt"
       from legal_holds h
      where h.workspace_id = $1
        and h.member_id in (${recordsOf('$1', '$2')})
      order by h.placed_at
      limit 1`,
    [workspaceId, id],
  );
  const keptOut = await queryOptional<KeptOut>(
    on,
    `select k.reason, ${withNameOfToday('k.decided_by')} as "decidedBy", k.decided_at as "decidedAt"
       from kept_out_members k
      where k.workspace_id = $1
        and k.member_id in (${recordsOf('$1', '$2')})
      order by k.reason is null, k.decided_at
      limit 1`,
    [workspaceId, id],
  );
  return { memberId: id, hold, keptOut };
}
