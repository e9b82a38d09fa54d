import type { Queryable } from '../../ground/database/database.ts';
import type { CustomValues } from '../../ground/values/custom-field.ts';
import { type OpenField, openFields } from '../../ground/values/member.ts';
import { selectFields } from '../directory/columns.ts';
import { customOf } from '../directory/custom-fields.ts';
import { isHere } from '../directory/who.ts';

/** A member's current record. */
export interface CurrentMember extends Record<OpenField, string | null> {
  id: number;
  firstName: string;
  lastName: string;
  managerId: number | null;
  team: string;
  active: boolean;
  custom: CustomValues | null;
}

export async function readCurrent(
  tx: Queryable,
  workspaceId: number,
  ids: readonly number[],
): Promise<Map<number, CurrentMember>> {
  if (ids.length === 0) return new Map();
  const rows = await tx.query<CurrentMember>(
    `select m.id, ${selectFields('m', openFields)}, m.manager_id as "managerId", t.name as team, ${isHere('m')} as active,
            ${customOf('m')} as custom
       from members m
       join teams t on t.workspace_id = m.workspace_id and t.id = m.team_id
      where m.workspace_id = $1
        and m.id = any($2::bigint[])`,
    [workspaceId, ids],
  );
  return new Map(rows.map((row) => [row.id, row]));
}
