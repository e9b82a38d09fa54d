import { hasLeft, isDeprovisioned, isHere, isPerson } from './who.ts';

/**
 * Counts by day: `recognition_days` has for each day how many members, and how many leavers, were last recognized on it. The
 * day of those who were never recognized is -infinity. Integrations and merged records are not counted.
 *
 * A statement that changes last_recognized_on, left_at or merged_into of members moves their counts in the same statement:
 *
 *     with changed as (
 *       update members m
 *          set …
 *         from members before
 *        where m.workspace_id = before.workspace_id
 *          and m.id = before.id
 *          and …
 *       returning ${dayChange('before', 'm')}
 *     ),
 *     days as (${moveDays('changed')})
 *     …
 */
export function dayChange(before: string, after: string): string {
  return `${after}.workspace_id,
          ${dayOf(before)} as day_before, ${hasLeft(before)} as left_before,
          ${dayOf(after)} as day_after, ${hasLeft(after)} as left_after`;
}

/** The same for members who were added. */
export function firstDay(added: string): string {
  return `${added}.workspace_id,
          null::date as day_before, null::boolean as left_before,
          ${dayOf(added)} as day_after, ${hasLeft(added)} as left_after`;
}

/** The same for members who were removed. */
export function removedDay(removed: string): string {
  return `${removed}.workspace_id,
          ${dayOf(removed)} as day_before, ${hasLeft(removed)} as left_before,
          null::date as day_after, null::boolean as left_after`;
}

/**
 * The statement that moves the counts of the rows in `changed`. It writes one row for each day, however many members there
 * are. Rows in the order of the key: two statements never wait for each other's rows in opposite orders.
 */
export function moveDays(changed: string): string {
  return `
    insert into recognition_days as d (workspace_id, day, members, leavers)
    select moved.workspace_id, moved.day, sum(moved.members), sum(moved.leavers)
      from (select workspace_id, day_before as day, -(not left_before)::int as members, -left_before::int as leavers
              from ${changed}
             where ${isMoved}
             union all
            select workspace_id, day_after, (not left_after)::int, left_after::int
              from ${changed}
             where ${isMoved}) moved
     where moved.day is not null
     group by moved.workspace_id, moved.day
    having sum(moved.members) <> 0 or sum(moved.leavers) <> 0
     order by moved.workspace_id, moved.day
    on conflict (workspace_id, day)
    do update set members = d.members + excluded.members, leavers = d.leavers + excluded.leavers`;
}

const isMoved = '(day_before is distinct from day_after or left_before is distinct from left_after)';

function dayOf(alias: string): string {
  return `case when ${isPerson(alias)} then coalesce(${alias}.last_recognized_on, '-infinity') end`;
}

/**
 * A statement that counts the SCIM users of the workspace $1: all of them, or those who are here or have left. It adds up days and leaves out
 * deprovisioned people, whom an index lists, so that its cost does not grow with the number of people.
 */
export function countUsers(isActive: boolean | null): string {
  const counted = isActive === null ? 'd.members + d.leavers' : isActive ? 'd.members' : 'd.leavers';
  const among = isActive === null ? '' : `and (${isHere('m')}) = ${isActive}`;
  return `
    select (select coalesce(sum(${counted}), 0) from recognition_days d where d.workspace_id = $1::bigint)::bigint
         - (select count(*)
              from members m
             where m.workspace_id = $1::bigint
               and ${isDeprovisioned('m')}
               and ${isPerson('m')}
               ${among}) as total`;
}
