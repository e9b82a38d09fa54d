import type { Queryable } from '../../src/ground/database/database.ts';

export interface StoredMember {
  id: number;
  email: string | null;
  employeeNumber: string | null;
  firstName: string;
  lastName: string;
  recognitions: number;
  lastDate: string | null;
  lastType: string | null;
}

/** The people of a workspace as they are stored, in the sequence in which they were added. */
export function listMembers(database: Queryable, workspaceId: number): Promise<StoredMember[]> {
  return database.query<StoredMember>(
    `select id, email, employee_number as "employeeNumber", first_name as "firstName", last_name as "lastName",
            recognition_count as recognitions, last_recognized_on as "lastDate", last_recognized_by as "lastType"
       from members
      where workspace_id = $1
        and not is_integration
      order by id`,
    [workspaceId],
  );
}
