import { dayChange, firstDay, moveDays } from './days.ts';
import { isPerson } from './who.ts';

/**
 * Adds members, and with them what is derived from members: counts by day and search texts. `insert` inserts into
 * `members as m` and has no `returning`. The caller holds the workspace's lock. The statement returns the ids.
 */
export function addingMembers(insert: string): string {
  return `
  with added as (
    ${insert}
    returning m.id, ${textOf('m')} as text, ${firstDay('m')}
  ),
  days as (${moveDays('added')}),
  texts as (
    insert into member_texts (workspace_id, member_id, text)
    select workspace_id, id, text from added where text is not null
  )
  select id from added`;
}

/**
 * The same for changes. `update` updates `members m`; `before` is an alias in it for the same record as it was. Needed for
 * statements that set a name, an e-mail address, an employee number, left_at, merged_into or the last recognition.
 */
export function changingMembers(update: string, before = 'before'): string {
  return `
  with changed as (
    ${update}
    returning m.id, ${textOf(before)} as text_before, ${textOf('m')} as text_after, ${dayChange(before, 'm')}
  ),
  days as (${moveDays('changed')}),
  texts as (
    update member_texts t
       set text = coalesce(c.text_after, '')
      from changed c
     where t.workspace_id = c.workspace_id
       and t.member_id = c.id
       and c.text_before is distinct from c.text_after
  )
  select id from changed`;
}

/** What a search reads of a person. Null for records that no search finds. */
function textOf(alias: string): string {
  return `case when ${isPerson(alias)}
               then lower(${alias}.first_name || ' ' || ${alias}.last_name || ' ' || coalesce(${alias}.email, '') || ' ' ||
                          coalesce(${alias}.employee_number, '')) end`;
}
