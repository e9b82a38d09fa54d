import assert from 'node:assert/strict';
import { appendEvents } from '../../src/company/events/log.ts';
import type { Queryable } from '../../src/ground/database/database.ts';
import { logWrongs } from './logged.ts';

/** The rule for who is a person, written again on purpose: a check must not share the code that it checks. */
const isPerson = 'not m.is_integration and m.merged_into is null';

const text = `
  lower(m.first_name || ' ' || m.last_name || ' ' || coalesce(m.email, '') || ' ' || coalesce(m.employee_number, '') || coalesce(' ' || m.preferred_name, ''))`;

const days = `
  select m.workspace_id, coalesce(m.last_recognized_on, '-infinity') as day,
         count(*) filter (where m.left_at is null) as members,
         count(*) filter (where m.left_at is not null) as leavers
    from members m
   where ${isPerson}
   group by 1, 2`;

const texts = `
  select m.workspace_id, m.id as member_id, case when ${isPerson} then ${text} else '' end as text
    from members m
   where not m.is_integration`;

const gaps = `
  select workspace_id, size, (number - 1) / size as block, count(*) as gaps
    from activities, unnest(array[1000, 1000000]) as size
   where status = 'DECLINED'
   group by 1, 2, 3`;

const given = `
  select a.workspace_id, (a.created_on at time zone w.time_zone)::date as day, a.type, coalesce(r.currency, '') as currency,
         count(*) as activities, coalesce(sum(c.amount), 0) as amount
    from activities a
    join workspaces w on w.id = a.workspace_id
    left join certificates c using (workspace_id, request_id, position)
    left join order_requests r using (workspace_id, request_id)
   where a.status = 'APPROVED'
   group by 1, 2, 3, 4`;

/**
 * Statements that count rows of derived tables, and of the event log, that differ from what they derive from, by the sentence
 * that says so.
 */
export const derivedWrongs: Record<string, string> = {
  ...logWrongs,
  'days have another number of last recognitions than members say': `
    select count(*)
      from (select workspace_id, day, members, leavers from recognition_days where members <> 0 or leavers <> 0) d
      full join (${days}) m using (workspace_id, day)
     where (d.members, d.leavers) is distinct from (m.members, m.leavers)`,
  'days have other activities or amounts than were given': `
    select count(*)
      from activity_days d
      full join (${given}) a using (workspace_id, day, type, currency)
     where (d.activities, d.amount) is distinct from (a.activities, a.amount)`,
  'people are searched for under other texts than theirs': `
    select count(*)
      from member_texts t
      full join (${texts}) m using (workspace_id, member_id)
     where t.text is distinct from m.text`,
  'members have another total or last recognition than their activities say': `
    select count(*)
      from members m
      left join (select r.workspace_id, coalesce(r.merged_into, r.id) as id, count(*) as n, max(a.number) as last
                   from activities a
                   join members r on r.workspace_id = a.workspace_id and r.id = a.receiver_id
                  where a.status = 'APPROVED'
                  group by 1, 2) received using (workspace_id, id)
      left join activities l on l.workspace_id = m.workspace_id and l.number = received.last
     where (m.recognition_count, m.last_recognized_number, m.last_recognized_on, m.last_recognized_by)
           is distinct from
           (coalesce(received.n, 0), l.number, (l.created_on at time zone 'utc')::date, l.type)`,
  'workspaces count other activities than they have': `
    select count(*)
      from activity_counters c
      left join (select workspace_id, count(*) as total, count(*) filter (where status = 'DECLINED') as declined
                   from activities
                  group by 1) a using (workspace_id)
     where (c.total, c.declined) is distinct from (coalesce(a.total, 0), coalesce(a.declined, 0))`,
  'gaps are counted other than shoutouts were declined': `
    select count(*)
      from (select workspace_id, size, block, gaps from activity_gaps where gaps <> 0) g
      full join (${gaps}) a using (workspace_id, size, block)
     where g.gaps is distinct from a.gaps`,
};

/** Each derived table equals what it derives from, in the whole database. */
export async function checkDerived(on: Queryable): Promise<void> {
  const wrong = await countWrongs(on, derivedWrongs);
  assert.deepEqual(wrong, [], 'a writer forgot a derived table, or a test wrote rows without calling recount()');
}

/** Runs statements that count violations. Returns a sentence for each that found some. */
export async function countWrongs(on: Queryable, wrongs: Record<string, string>): Promise<string[]> {
  const sentences: string[] = [];
  // A test of migrations looks at databases that have no event log and no activity_days yet.
  const [there] = await on.query<{ log: boolean; days: boolean }>(
    `select to_regclass('events') is not null as log, to_regclass('activity_days') is not null as days`,
  );
  for (const [what, sql] of Object.entries(wrongs)) {
    if ((what in logWrongs && !there?.log) || (sql.includes('activity_days') && !there?.days)) continue;
    const [row] = await on.query<{ wrong: number }>(`select (${sql}) as wrong`);
    if (row?.wrong !== 0) sentences.push(`${row?.wrong} ${what}.`);
  }
  return sentences;
}

/** Computes a workspace's derived tables, for tests that write members or activities with statements of their own. */
export async function recount(on: Queryable, workspaceId: number): Promise<void> {
  const derived = { recognition_days: days, activity_days: given, member_texts: texts, activity_gaps: gaps };
  for (const [table, rows] of Object.entries(derived)) {
    await on.query(`delete from ${table} where workspace_id = $1`, [workspaceId]);
    await on.query(`insert into ${table} ${columns[table]} select * from (${rows}) r where workspace_id = $1`, [
      workspaceId,
    ]);
  }
  const missing = await on.query<{ id: number }>(unloggedSql, [workspaceId]);
  const added = missing.map(({ id }) => ({ type: 'member.added' as const, data: { id } }));
  await appendEvents(on, workspaceId, new Date(), added);
}

/** People who were written without an event after others with one. */
const unloggedSql = `
  select m.id
    from members m
   where m.workspace_id = $1
     and not m.is_integration
     and exists (select from events where workspace_id = $1 and type = 'member.added')
     and m.id not in (select (data ->> 'id')::bigint from events where workspace_id = $1 and type = 'member.added')`;

const columns: Record<string, string> = {
  recognition_days: '(workspace_id, day, members, leavers)',
  activity_days: '(workspace_id, day, type, currency, activities, amount)',
  member_texts: '(workspace_id, member_id, text)',
  activity_gaps: '(workspace_id, size, block, gaps)',
};
