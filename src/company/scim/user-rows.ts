import { type Queryable, queryOptional } from '../../ground/database/database.ts';
import type { CustomValues } from '../../ground/values/custom-field.ts';
import { type ScimField, scimFields } from '../../ground/values/member.ts';
import { selectFields } from '../directory/columns.ts';
import { customOf } from '../directory/custom-fields.ts';
import { emailListOf, type ListedEmail } from '../directory/emails.ts';
import { isHere, isUser } from '../directory/who.ts';

/** A user's row. */
export interface UserRow extends Record<ScimField, string | null> {
  id: number;
  userName: string;
  firstName: string;
  lastName: string;
  managerId: number | null;
  managerName: string | null;
  /** The text by which the identity provider named a manager who is not known yet. */
  managerReference: string | null;
  active: boolean;
  /** All addresses, the member's own first. */
  emails: ListedEmail[];
  groups: { id: number; name: string }[];
  custom: CustomValues | null;
  createdAt: Date;
  changedAt: Date;
}

/** A person who did not come through SCIM has no login: their email address, employee number or id is shown instead. */
export const shownUserName = 'coalesce(m.user_name, m.email, m.employee_number, m.id::text)';

const fullName = (member: string) => `nullif(btrim(${member}.first_name || ' ' || ${member}.last_name), '')`;

/** Names are shown as SCIM sent them, otherwise composed of the first and the last name. */
export const shownFormattedName = `coalesce(m.formatted_name, ${fullName('m')})`;
export const shownDisplayName = `coalesce(m.display_name, ${fullName('m')}, ${shownUserName})`;
export const shownManagerName = `coalesce(above.display_name, ${fullName('above')})`;

const selectedFields = [...scimFields.filter((name) => name !== 'userName'), 'managerId', 'managerReference'] as const;

/** Selects the users of a page of ids, `page`. */
export const selectUsers = `
  select m.id,
         ${selectFields('m', selectedFields)},
         ${shownUserName} as "userName",
         ${shownManagerName} as "managerName",
         ${isHere('m')} as active,
         ${emailListOf('m')} as emails,
         ${customOf('m')} as custom,
         coalesce((select json_agg(json_build_object('id', t.id, 'name', t.name) order by t.id)
                     from team_members tm
                     join teams t on t.workspace_id = $1 and t.id = tm.team_id
                    where tm.workspace_id = $1
                      and tm.member_id = m.id), '[]') as groups,
         m.created_at     as "createdAt",
         m.changed_at     as "changedAt"
    from page
    join members m          on m.workspace_id = $1::bigint and m.id = page.id
    left join members above on above.workspace_id = $1 and above.id = m.manager_id
   order by m.id`;

const oneSql = `
  with page as (select m.id from members m where m.workspace_id = $1::bigint and m.id = $2::bigint and ${isUser('m')})
  ${selectUsers}`;

export function readUserRow(tx: Queryable, workspaceId: number, id: number): Promise<UserRow | null> {
  return queryOptional<UserRow>(tx, oneSql, [workspaceId, id]);
}
