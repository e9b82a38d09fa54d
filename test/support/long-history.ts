import type { Queryable } from '../../src/ground/database/database.ts';
import { recount } from './derived.ts';

/**
 * Adds pending shoutouts from an integration to itself. They count for nobody. By default each has about 1 KB of text: a file of many
 * is more than the buffers between a service and its client hold.
 */
export async function addLongHistory(
  database: Queryable,
  workspaceId: number,
  count: number,
  words = 190,
): Promise<void> {
  await database.query(
    `with counted as (
       update activity_counters set total = $2, latest = now() where workspace_id = $1
     )
     insert into activities (workspace_id, number, type, status, sender_id, receiver_id, description, created_on)
     select m.workspace_id, number, 'SHOUTOUT', 'PENDING', m.id, m.id, number || ' ' || $3::text, now()
       from generate_series(1, $2::bigint) number,
            (select workspace_id, id from members where workspace_id = $1 and is_integration limit 1) m`,
    [workspaceId, count, 'word '.repeat(words).trim()],
  );
}

/** Removes them, so that invariants hold again. */
export async function removeLongHistory(database: Queryable, workspaceId: number): Promise<void> {
  await database.query(
    `with counted as (
       update activity_counters set total = 0 where workspace_id = $1
     )
     delete from activities where workspace_id = $1`,
    [workspaceId],
  );
}

/** The longest field that a person can have: few people make a long file. */
const longest = '\u{1f381}'.repeat(100);

/** Adds people with long fields, about 1.6 KB each, recognized yesterday by one shoutout. */
export async function addLongPeople(database: Queryable, workspaceId: number, count: number): Promise<void> {
  await database.query(
    `with counted as (
       update activity_counters set total = $2, latest = now() where workspace_id = $1
     ),
     added as (
       insert into members (workspace_id, team_id, employee_number, first_name, last_name, department, cost_centre,
                            location, recognition_count, last_recognized_on, last_recognized_by, last_recognized_number)
       select w.id, w.default_team_id, 'n' || nth, 'Person ' || nth, $4, $4, $4, $4, 1, (now() at time zone 'utc')::date - 1, 'SHOUTOUT', nth
         from workspaces w, generate_series(1, $2::int) nth
        where w.id = $1
       returning workspace_id, id, last_recognized_number as number
     )
     insert into activities (workspace_id, number, type, status, sender_id, receiver_id, description, created_on)
     select workspace_id, number, 'SHOUTOUT', 'APPROVED', id, id, $3::text, now() - interval '1 day' from added`,
    [workspaceId, count, 'Thank you!', longest],
  );
  await recount(database, workspaceId);
}
