import { memberFieldNames } from '../../ground/values/member.ts';
import { columnsOf } from './columns.ts';
import { dayChange, firstDay, moveDays, removedDay } from './days.ts';
import { isHere, isPerson } from './who.ts';

/** A record that was added. An integration is no person. */
export interface AddedRow {
  id: number;
  isPerson: boolean;
  hasLeft: boolean;
}

/** A record that was changed. A merged record is no person. */
export interface ChangedRow extends AddedRow {
  /** Whether a field changed, beside leaving and returning. */
  isChanged: boolean;
  hadLeft: boolean;
}

/**
 * Adds members, and with them what is derived from members: counts by day, search texts, and that they are in their team unless it is
 * the default team. `insert` inserts into `members as m` of the workspace $1 and has no `returning`. The caller holds the workspace's lock. The statement
 * returns AddedRows.
 */
export function addingMembers(insert: string): string {
  return derivingFrom(`${insert}
    returning ${addedColumns}`);
}

/** The same for members that were copied into the table in the same transaction. `which` is a condition on `members m`. */
export function afterCopying(which: string): string {
  return derivingFrom(`select ${addedColumns} from members m where ${which}`);
}

function derivingFrom(added: string): string {
  return `
  with added as (
    ${added}
  ),
  days as (${moveDays('added')}),
  texts as (
    insert into member_texts (workspace_id, member_id, text)
    select workspace_id, id, text from added where text is not null
  ),
  teams as (
    insert into team_members (workspace_id, team_id, member_id)
    select added.workspace_id, added.team_id, added.id
      from added
      join workspaces w on w.id = $1::bigint and w.default_team_id <> added.team_id
  )
  select id, is_person as "isPerson", left_after as "hasLeft" from added`;
}

/**
 * The same for changes. `update` updates `members m`; `before` is an alias in it for the same record as it was. Needed for
 * statements that set a name, a preferred name, an email address, an employee number, left_at, merged_into or the last recognition.
 * The statement returns ChangedRows.
 */
export function changingMembers(update: string, before = 'before'): string {
  return `
  with changed as (
    ${update}
    returning m.id, ${isPerson('m')} as is_person, ${fieldsOf(before)} is distinct from ${fieldsOf('m')} as is_changed,
              ${textOf(before)} as text_before, ${textOf('m')} as text_after,
              m.preferred_name is not null as is_preferred, ${dayChange(before, 'm')}
  ),
  days as (${moveDays('changed')}),
  texts as (
    update member_texts t
       set text = coalesce(c.text_after, '')
      from changed c
     where t.workspace_id = $1::bigint
       and t.member_id = c.id
       and (c.text_before is distinct from c.text_after or c.is_preferred and t.text is distinct from c.text_after)
  )
  select id, is_person as "isPerson", is_changed as "isChanged", left_before as "hadLeft", left_after as "hasLeft"
    from changed`;
}

/** Removes members, and with them what is derived from them. `which` is a condition on `members m`. The statement returns RemovedPersons. */
export function removingMembers(which: string): string {
  return `
  with removed as (
    delete from members m
     where ${which}
    returning m.id, ${removedDay('m')}
  ),
  days as (${moveDays('removed')}),
  texts as (
    delete from member_texts t
     using removed r
     where t.workspace_id = $1::bigint
       and t.member_id = r.id
  )
  select id, left_before as "hadLeft" from removed`;
}

// Merged records leave and return together with their survivor. They are in no count and no search.
export const leaveMergedSql = `
  update members m
     set left_at = s.left_at, left_on = s.left_on
    from members s
   where s.workspace_id = $1
     and s.id = any($2::bigint[])
     and m.workspace_id = $1
     and m.merged_into = s.id`;

/** What a search reads of a person. Null for records that no search finds. */
function textOf(alias: string): string {
  return `case when ${isPerson(alias)}
               then lower(${alias}.first_name || ' ' || ${alias}.last_name || ' ' || coalesce(${alias}.email, '') || ' ' ||
                          coalesce(${alias}.employee_number, '') || coalesce(' ' || ${alias}.preferred_name, '')) end`;
}

/**
 * The fields of a person, without those that have events of their own, and those that count recognition. The last day that was planned is
 * part of leaving for a person who leaves.
 */
function fieldsOf(alias: string): string {
  const columns = columnsOf(
    alias,
    memberFieldNames.filter((name) => name !== 'leavesOn'),
  );
  return `(${columns.join(', ')}, ${alias}.custom, case when ${isHere('m')} then ${alias}.leaves_on end)`;
}

const addedColumns = `m.id, m.team_id, ${textOf('m')} as text, ${isPerson('m')} as is_person, ${firstDay('m')}`;
