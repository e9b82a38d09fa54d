import { type Queryable, queryOne } from '../../ground/database/database.ts';
import { addressKey as keyOf } from '../../ground/values/email.ts';
import { noteFieldChanged } from './events.ts';
import { addressKey } from './who.ts';

/*
 * The email addresses of a person as SCIM lists them: the member's own, and further ones with their types. The member's own is in
 * `members.email` and identifies the person. The others, in `member_emails`, are kept for SCIM alone: they find no person, and no email is sent to them.
 */

export interface ListedEmail {
  value: string;
  type: string | null;
  primary: boolean;
  /** Whether it is the member's own address. */
  isOwn: boolean;
}

/** What SCIM calls the type of an address that was sent without one. */
const usualType = 'work';

/** The addresses of the member `alias` of the workspace $1, as a statement of `value`, `type`, `is_primary` and `nth`. The member's own address is the first. */
export function emailsOf(alias: string): string {
  const others = `member_emails o where o.workspace_id = $1::bigint and o.member_id = ${alias}.id`;
  return `
    select ${alias}.email as value,
           coalesce((select o.type from ${others} and o.value is null), '${usualType}') as type,
           not exists (select from ${others} and ${isOther('o', alias)} and o.is_primary) as is_primary,
           -1 as nth
     where ${alias}.email is not null
     union all
    select o.value, o.type, o.is_primary, o.nth from ${others} and ${isOther('o', alias)}`;
}

/** The same as JSON: ListedEmails. */
export function emailListOf(alias: string): string {
  return `(select coalesce(json_agg(json_build_object('value', e.value, 'type', e.type, 'primary', e.is_primary, 'isOwn', e.nth < 0)
                                    order by e.nth), '[]')
             from (${emailsOf(alias)}) e)`;
}

/** True for an address beside the member's own. An address that has become the member's own since then is not listed twice. */
function isOther(alias: string, member: string): string {
  return `${addressKey(`${alias}.value`)} <> coalesce(${member}.email_key, '')`;
}

/** Stores the addresses of a person. The member's own is stored with the fields of the member. The caller holds the workspace's lock. */
export async function saveEmails(
  tx: Queryable,
  workspaceId: number,
  id: number,
  listed: readonly ListedEmail[],
): Promise<void> {
  const others = listed.filter(({ isOwn }) => !isOwn);
  const own = listed.find(({ isOwn, type }) => isOwn && type !== null && type !== usualType);
  const rows = [
    ...(own ? [{ value: null, type: own.type, is_primary: false }] : []),
    ...withoutRepeated(others).map(({ value, type, primary }) => ({ value, type, is_primary: primary })),
  ].map((row, nth) => ({ nth, ...row }));
  const { isSame } = await queryOne<{ isSame: boolean }>(tx, comparedSql, [workspaceId, id, JSON.stringify(rows)]);
  if (isSame) return;
  await tx.query('delete from member_emails where workspace_id = $1 and member_id = $2', [workspaceId, id]);
  await tx.query(insertSql, [workspaceId, id, JSON.stringify(rows)]);
  await tx.query('update members set changed_at = now() where workspace_id = $1 and id = $2', [workspaceId, id]);
  noteFieldChanged(tx, workspaceId, [{ id }]);
}

function withoutRepeated(emails: readonly ListedEmail[]): ListedEmail[] {
  return [...new Map(emails.map((one) => [`${one.type} ${keyOf(one.value)}`, one])).values()];
}

const comparedSql = `
  select $3::jsonb = coalesce(jsonb_agg(jsonb_build_object('nth', nth, 'value', value, 'type', type, 'is_primary', is_primary)
                                        order by nth), '[]') as "isSame"
    from member_emails
   where workspace_id = $1
     and member_id = $2`;

const insertSql = `
  insert into member_emails (workspace_id, member_id, nth, value, type, is_primary)
  select $1, $2, nth, value, type, is_primary
    from jsonb_to_recordset($3::jsonb) as listed (nth smallint, value text, type text, is_primary boolean)`;

/** Moves the further addresses of one record to another, beside those that are there. The primary one of the other record stays primary. */
export async function moveEmails(tx: Queryable, workspaceId: number, from: number, into: number): Promise<void> {
  await tx.query(moveSql, [workspaceId, from, into]);
  await tx.query('delete from member_emails where workspace_id = $1 and member_id = $2', [workspaceId, from]);
}

const moveSql = `
  insert into member_emails (workspace_id, member_id, nth, value, type)
  select moved.workspace_id, $3,
         coalesce((select max(nth) + 1 from member_emails where workspace_id = $1 and member_id = $3), 0)
           + row_number() over (order by moved.nth) - 1,
         moved.value, moved.type
    from member_emails moved
   where moved.workspace_id = $1
     and moved.member_id = $2
     and moved.value is not null
     and not exists (select from member_emails o
                      where o.workspace_id = $1 and o.member_id = $3
                        and ${addressKey('o.value')} = ${addressKey('moved.value')}
                        and o.type is not distinct from moved.type)`;
