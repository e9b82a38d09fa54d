import type { Actor } from '../../ground/contract/actor.ts';
import { type Queryable, queryOne } from '../../ground/database/database.ts';
import { Failure } from '../../ground/errors.ts';
import { type MemberFieldName, memberFields } from '../../ground/values/member.ts';
import { closeUndo, noteForUndo, recordUndo } from '../undo/undo.ts';
import { lockWorkspace } from '../workspaces/lock.ts';
import { auditMember, readName } from './audit.ts';
import { checkChangeable } from './change.ts';
import { setFields } from './columns.ts';
import { moveEmails } from './emails.ts';
import { noteChanged, noteFieldChanged, noteMerged } from './events.ts';
import { beginKeeping, endKeeping, keepPeople } from './kept-people.ts';
import { checkLeaving } from './owners.ts';
import { lineAbove } from './reporting-line.ts';
import { settleTeams } from './teams.ts';
import { moveTokens } from './tokens.ts';
import { hasLeft, isHere, isPerson } from './who.ts';
import { type ChangedRow, changingMembers } from './write.ts';

const sameRecord = 'The two are the same record already.';

/**
 * Merges two records of one person: `from` is merged into `into`. Fields that are empty in `into` are filled from `from`, and
 * recognition counts for `into`. Reports about earlier days count them from the earlier day of the two records. If both have an email address or an employee number, those of `from` identify `into`.
 * Certificates and activities keep the id of `from`, and are read as those of `into`.
 */
export async function mergeMembers(
  tx: Queryable,
  actor: Actor,
  workspaceId: number,
  from: number,
  into: number,
): Promise<void> {
  if (from === into) throw new Failure('invalid', sameRecord, { faults: [{ path: 'into', problem: sameRecord }] });
  await lockWorkspace(tx, workspaceId);
  const people = await tx.query<{ id: number; row: unknown; hasLeft: boolean; latest: number | null }>(
    `select id, to_jsonb(m) as row, ${hasLeft('m')} as "hasLeft", last_recognized_number as latest
       from members m
      where workspace_id = $1 and id in ($2, $3) and ${isPerson('m')}`,
    [workspaceId, from, into],
  );
  const old = people.find(({ id }) => id === from);
  const kept = people.find(({ id }) => id === into);
  if (!old || !kept)
    throw new Failure('setup', `Workspace ${workspaceId} has not both of these: "giftwire members export" lists them.`);
  for (const { id } of people) await checkChangeable(tx, workspaceId, id);
  const fromName = await readName(tx, workspaceId, from);
  // The users of the given-up record act as the record that remains.
  if (kept.hasLeft) await checkLeaving(tx, workspaceId, [from]);
  const undoId = await recordUndo(tx, actor, workspaceId, {
    kind: 'MEMBER_MERGE',
    subjectId: into,
    detail: { from, activities: await readTotal(tx, workspaceId), latest: { from: old.latest, into: kept.latest } },
    isOpen: true,
  });
  beginKeeping(tx, workspaceId, undoId);
  await keepPeople(tx, workspaceId, [from, into]);
  await tx.query(mergeSql, [workspaceId, from, into]);
  noteMerged(tx, workspaceId, from, into);
  noteChanged(tx, workspaceId, await tx.query<ChangedRow>(fillSql, [workspaceId, into, JSON.stringify(old.row)]));
  const merged = await redirectMerged(tx, workspaceId, from, into);
  const reports = await tx.query<{ id: number }>(reportsSql, [workspaceId, from, into]);
  noteFieldChanged(tx, workspaceId, reports);
  await moveEmails(tx, workspaceId, from, into);
  const actingAs = await moveTokens(tx, workspaceId, from, into);
  await tx.query(teamsSql, [workspaceId, from, into]);
  await tx.query('delete from team_members where workspace_id = $1 and member_id = $2', [workspaceId, from]);
  await settleTeams(tx, workspaceId, [from, into]);
  await endKeeping(tx, workspaceId, [from, into]);
  await noteForUndo(tx, workspaceId, undoId, { reports: idsOf(reports), merged: idsOf(merged), ...actingAs });
  await closeUndo(tx, workspaceId, undoId, { people: 2 });
  await auditMember(tx, actor, workspaceId, 'member.merged', into, { from, fromName });
}

async function readTotal(tx: Queryable, workspaceId: number): Promise<number> {
  const sql = 'select total from activity_counters where workspace_id = $1';
  return (await queryOne<{ total: number }>(tx, sql, [workspaceId])).total;
}

const idsOf = (rows: readonly { id: number }[]) => rows.map(({ id }) => id);

/** What the merged record has afterwards; null: the same as before. */
function givenUp(name: MemberFieldName, column: string): string | null {
  const { merge } = memberFields[name];
  if (merge === 'stays') return null;
  return merge === 'unique' ? `case when kept.${column} is not null then m.${column} end` : 'null';
}

// The merged record gives up what the survivor takes over: no two may have the same email address or employee number.
const mergeSql = changingMembers(`
  update members m
     set merged_into     = kept.id,
         left_at         = kept.left_at,
         left_on         = kept.left_on,
         ${setFields(givenUp)},
         custom                 = null,
         recognition_count      = 0,
         last_recognized_on     = null,
         last_recognized_at     = null,
         last_recognized_by     = null,
         last_recognized_number = null,
         changed_at      = now()
    from members before
    join members kept on kept.workspace_id = $1 and kept.id = $3
   where before.workspace_id = $1
     and before.id = $2
     and m.workspace_id = before.workspace_id
     and m.id = before.id`);

// No person becomes a manager above themselves: a manager who reports to either record is not taken over.
const managerTakenOver = `
  case when not exists (select from (${lineAbove('$1', 'gone.manager_id')}) above where above.id in (m.id, gone.id))
       then gone.manager_id end`;

const takenOverBy: Partial<Record<MemberFieldName, string>> = {
  leavesOn: `case when ${isHere('m')} then coalesce(m.leaves_on, gone.leaves_on) end`,
  managerId: `coalesce(nullif(m.manager_id, gone.id), ${managerTakenOver})`,
  managerReference: `case when coalesce(m.manager_id, gone.manager_id) is null
                          then coalesce(m.manager_reference, gone.manager_reference) end`,
};

/** The survivor fills the fields that it lacks. */
function takenOver(name: MemberFieldName, column: string): string {
  const own = memberFields[name].kind === 'name' ? `nullif(m.${column}, '')` : `m.${column}`;
  return takenOverBy[name] ?? `coalesce(${own}, gone.${column})`;
}

const fillSql = changingMembers(
  `
  update members m
     set ${setFields(takenOver)},
         custom                 = nullif(coalesce(gone.custom, '{}') || coalesce(m.custom, '{}'), '{}'),
         recognition_count      = m.recognition_count + gone.recognition_count,
         last_recognized_on     = latest.day,
         last_recognized_at     = latest.at,
         last_recognized_by     = latest.type,
         last_recognized_number = latest.number,
         created_at      = least(m.created_at, gone.created_at),
         changed_at      = now()
    from jsonb_populate_record(null::members, $3::jsonb) gone
    join members kept on kept.workspace_id = $1 and kept.id = $2
   cross join lateral (
           select *
             from (values (kept.last_recognized_number, kept.last_recognized_on, kept.last_recognized_at, kept.last_recognized_by),
                          (gone.last_recognized_number, gone.last_recognized_on, gone.last_recognized_at, gone.last_recognized_by))
                  as either (number, day, at, type)
            order by number desc nulls last
            limit 1) latest
   where m.workspace_id = kept.workspace_id
     and m.id = kept.id`,
  'kept',
);

/** Records that were merged into one refer to another from now on: all of them, or those that are named. They are in no count and no search. */
export function redirectMerged(
  tx: Queryable,
  workspaceId: number,
  from: number,
  to: number,
  only: readonly number[] | null = null,
): Promise<{ id: number }[]> {
  return tx.query<{ id: number }>(redirectSql, [workspaceId, from, to, only]);
}

const redirectSql = `
  update members m
     set merged_into = kept.id, left_at = kept.left_at, left_on = kept.left_on
    from members kept
   where m.workspace_id = $1
     and m.merged_into = $2
     and kept.workspace_id = $1
     and kept.id = $3
     and ($4::bigint[] is null or m.id = any($4))
  returning m.id`;

// A report to whom the surviving record itself reports gets no manager.
const reportsSql = `
  update members
     set manager_id = case when id in (${lineAbove('$1', '$3')}) then null else $3::bigint end, changed_at = now()
   where workspace_id = $1
     and manager_id = $2
  returning id`;

const teamsSql = `
  insert into team_members (workspace_id, team_id, member_id)
  select workspace_id, team_id, $3
    from team_members
   where workspace_id = $1
     and member_id = $2
     and not exists (select from team_members where workspace_id = $1 and member_id = $3)
   order by joined`;
