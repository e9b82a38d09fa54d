import type { Queryable } from '../../ground/database/database.ts';
import { isHere } from '../directory/who.ts';

/** A member's current record. */
export interface CurrentMember {
  id: number;
  email: string | null;
  employeeNumber: string | null;
  firstName: string;
  lastName: string;
  department: string | null;
  costCentre: string | null;
  location: string | null;
  currency: string | null;
  pictureUrl: string | null;
  managerId: number | null;
  team: string;
  active: boolean;
}

export async function readCurrent(
  tx: Queryable,
  workspaceId: number,
  ids: readonly number[],
): Promise<Map<number, CurrentMember>> {
  if (ids.length === 0) return new Map();
  const rows = await tx.query<CurrentMember>(
    `select m.id, m.email, m.employee_number as "employeeNumber", m.first_name as "firstName",
            m.last_name as "lastName", m.department, m.cost_centre as "costCentre", m.location, m.currency,
            m.picture_url as "pictureUrl", m.manager_id as "managerId", t.name as team,
            ${isHere('m')} as active
       from members m
       join teams t on t.workspace_id = m.workspace_id and t.id = m.team_id
      where m.workspace_id = $1
        and m.id = any($2::bigint[])`,
    [workspaceId, ids],
  );
  return new Map(rows.map((row) => [row.id, row]));
}
