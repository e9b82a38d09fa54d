import { Failure } from '../../ground/errors.ts';
import { type UndoKind, wasDoneAgain } from '../undo/undo.ts';
import { readSubjects } from './audit.ts';
import { noteUnmerged } from './events.ts';
import { setManagers } from './managers.ts';
import { redirectMerged } from './merge.ts';
import { checkOwnerRemains } from './owners.ts';
import { refuseLoops, restorePeople } from './restore-people.ts';
import { type ActingAs, moveTokens } from './tokens.ts';
import { isSurvivor } from './who.ts';
import { changingMembers } from './write.ts';

const mergedSince = 'This cannot be undone: another record was merged into this one since. Undo that merge first.';

/** What a merge notes, beside the two records. */
export interface MergeDetail extends ActingAs {
  from: number;
  /** How many activities there were, and the number of the latest of each record. */
  activities: number;
  latest: { from: number | null; into: number | null };
  /** The people who reported to the merged record. */
  reports: number[];
  /** The records that were merged into it before. */
  merged: number[];
}

/**
 * Undoes a merge: the merged record is a person again, as it was, and what the other one took over from it goes back. Recognition counts for the record
 * that received it, also if it came later. `recognitionOf` selects it: recount.ts in recognition.
 */
export function mergeUndo(recognitionOf: string): UndoKind<MergeDetail> {
  return {
    kind: 'MEMBER_MERGE',
    action: 'member.merge_undone',
    scopesOf: () => ['directory:write'],
    readNames: readSubjects,
    async undo(tx, change) {
      const { workspaceId, detail } = change;
      const { from, activities, latest, reports, merged, tokens, users } = detail;
      const into = change.subjectId as number;
      // The later merge has noted the recognition of both records that were merged before.
      if (await wasDoneAgain(tx, change)) throw new Failure('conflict', mergedSince);
      noteUnmerged(tx, workspaceId, from, into);
      await restorePeople(tx, change);
      await redirectMerged(tx, workspaceId, into, from, merged);
      const wanted = await tx.query<{ id: number }>(reportingSql, [workspaceId, into, reports]);
      const managed = wanted.map(({ id }) => ({ id, managerId: from }));
      await refuseLoops(tx, workspaceId, managed);
      await setManagers(tx, workspaceId, managed);
      await moveTokens(tx, workspaceId, into, from, { tokens, users });
      if (users.length > 0) await checkOwnerRemains(tx, workspaceId);
      await tx.query(recountSql(recognitionOf), [workspaceId, [from, into], [latest.from, latest.into], activities]);
    },
  };
}

// Those who got another manager since keep that one.
const reportingSql = `
  select id
    from members m
   where m.workspace_id = $1
     and m.id = any($3::bigint[])
     and ${isSurvivor('m')}
     and (m.manager_id = $2 or m.manager_id is null)`;

const recountSql = (recognitionOf: string) =>
  changingMembers(`
  update members m
     set recognition_count      = received.times,
         last_recognized_on     = (received.at at time zone 'utc')::date,
         last_recognized_at     = received.at,
         last_recognized_by     = received.type,
         last_recognized_number = received.number
    from unnest($2::bigint[], $3::bigint[]) as was (id, number)
    join members before on before.workspace_id = $1 and before.id = was.id
   cross join lateral (${recognitionOf}) received
   where m.workspace_id = before.workspace_id
     and m.id = before.id`);
