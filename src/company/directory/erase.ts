import type { Queryable } from '../../ground/database/database.ts';
import { memberFields } from '../../ground/values/member.ts';
import { setFields } from './columns.ts';
import { noteErased } from './events.ts';
import { isPerson } from './who.ts';
import { type ChangedRow, changingMembers } from './write.ts';

/**
 * Removes what identifies a person from their records. They have left afterwards, and are no SCIM resource. Departments and the like stay, so that
 * reports count as before; the first day becomes the day from which they counted. The caller holds the workspace's lock.
 */
export async function eraseRecords(
  tx: Queryable,
  workspaceId: number,
  id: number,
  records: readonly number[],
): Promise<void> {
  const rows = await tx.query<ChangedRow>(eraseSql, [workspaceId, records]);
  const person = rows.find((row) => row.id === id);
  noteErased(tx, workspaceId, id, person?.hadLeft ?? true);
  await tx.query(toReportsSql, [workspaceId, records]);
}

/** What a field becomes; null: it stays. */
function erased(name: keyof typeof memberFields): string | null {
  const { kind, isPersonal } = memberFields[name];
  if (isPersonal === false) return null;
  return kind === 'name' ? `''` : 'null';
}

const eraseSql = changingMembers(`
  update members m
     set ${setFields(erased)},
         custom           = null,
         left_at          = coalesce(m.left_at, now()),
         deprovisioned_at = case when ${isPerson('m')} then coalesce(m.deprovisioned_at, now()) else m.deprovisioned_at end,
         created_at       = greatest(m.created_at, m.hired_on::timestamptz),
         erased_at        = coalesce(m.erased_at, now()),
         changed_at       = now()
    from members before
   where before.workspace_id = $1
     and before.id = any($2::bigint[])
     and m.workspace_id = before.workspace_id
     and m.id = before.id`);

/** Texts by which an identity provider named the person as a manager. */
const toReportsSql = `
  update members m
     set manager_reference = null
   where m.workspace_id = $1
     and m.manager_id = any($2::bigint[])
     and m.manager_reference is not null`;
