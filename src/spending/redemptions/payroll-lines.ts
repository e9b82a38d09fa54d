/** The lines of payroll files about gifts of these records, as a statement. */
export function lineOfPeople(workspaceId: string, records: string, columns = ''): string {
  return `select ${columns}
            from certificates c
            join redemptions d   on d.workspace_id = ${workspaceId} and d.request_id = c.request_id and d.position = c.position
            join payroll_lines l on l.workspace_id = ${workspaceId} and l.redemption_id = d.id
           where c.workspace_id = ${workspaceId}
             and c.member_id = any(${records}::bigint[])`;
}
