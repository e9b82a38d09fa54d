import type { Database } from '../../ground/database/database.ts';
import { csvText } from '../../ground/values/csv.ts';
import type { CustomValues } from '../../ground/values/custom-field.ts';
import { fileFields } from '../../ground/values/member.ts';
import { selectFields } from '../directory/columns.ts';
import { customOf, listCustomFields } from '../directory/custom-fields.ts';
import { isHere, isPerson, leftOn } from '../directory/who.ts';
import { memberColumns } from './columns.ts';

type ExportRow = Record<(typeof memberColumns)[number], string | null> & { custom: CustomValues | null };

export interface ExportOptions {
  workspaceId: number;
  includeInactive?: boolean;
  /** The beginning of the text: a byte order mark for programs that need one. */
  begin?: string;
}

/**
 * Writes a workspace's people as CSV that an import can read, from one snapshot. Leavers are left out unless
 * `includeInactive` is set. Returns the number of people.
 */
export async function exportMembers(
  database: Database,
  { workspaceId, includeInactive = false, begin = '' }: ExportOptions,
  write: (text: string) => Promise<void>,
): Promise<number> {
  const keys = (await listCustomFields(database, workspaceId)).map(({ key }) => key);
  await write(begin + csvText([[...memberColumns, ...keys]]));
  let count = 0;
  for await (const rows of database.stream<ExportRow>(exportSql, [workspaceId, includeInactive])) {
    const cells = rows.map(({ custom, ...row }) => [
      ...memberColumns.map((column) => row[column] ?? ''),
      ...keys.map((key) => String(custom?.[key] ?? '')),
    ]);
    await write(csvText(cells));
    count += rows.length;
  }
  return count;
}

const exportSql = `
  select ${selectFields('m', fileFields)},
         coalesce(b.email, b.employee_number, b.id::text) as manager, t.name as team,
         case when ${isHere('m')} then 'true' else 'false' end as active,
         to_char(coalesce(${leftOn('m')}, m.leaves_on), 'YYYY-MM-DD') as "leavingDate",
         ${customOf('m')} as custom
    from members m
    join teams t on t.workspace_id = m.workspace_id and t.id = m.team_id
    left join members b on b.workspace_id = m.workspace_id and b.id = m.manager_id
   where m.workspace_id = $1
     and ${isPerson('m')}
     and (${isHere('m')} or $2)
   order by m.id`;
