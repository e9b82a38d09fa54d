import type { Queryable } from '../../src/database/database.ts';

/** Statements that count what must not exist, by the sentence that says so. */
const wrongs: Record<string, string> = {
  'gifts do not have exactly one activity of their receiver': `
    select count(*)
      from (select workspace_id, request_id, position, member_id as receiver_id, count(*) as n
              from certificates group by 1, 2, 3, 4) c
      full join (select workspace_id, request_id, position, receiver_id, count(*) as n
                   from activities where type = 'GIFT' group by 1, 2, 3, 4) a
           using (workspace_id, request_id, position, receiver_id)
     where c.n is distinct from 1 or a.n is distinct from 1`,
  'certificates belong to no completed order': `
    select count(*) from certificates c left join orders o using (workspace_id, request_id) where o.id is null`,
  'completed orders have not as many certificates as gifts': `
    select count(*)
      from orders o
     where o.id is not null
       and o.gift_count <> (select count(*) from certificates c
                             where c.workspace_id = o.workspace_id and c.request_id = o.request_id)`,
  'outcomes belong to no accepted request': `
    select count(*) from orders o left join order_requests r using (workspace_id, request_id) where r.request_id is null`,
  'order ids are used twice': 'select count(id) - count(distinct id) from orders',
  'certificate ids are used twice': 'select count(id) - count(distinct id) from certificates',
  'short token hashes are used twice': `
    select count(*) - count(distinct short_token_hash) from certificates`,
  'activities break the sequence 1, 2, 3 …': `
    select count(*)
      from (select number, row_number() over (partition by workspace_id order by number) as nth from activities) a
     where number <> nth`,
  'workspaces count another number of activities than they have': `
    select count(*)
      from activity_counters c
     where total <> (select count(*) from activities a where a.workspace_id = c.workspace_id)`,
  'activities are older than the one before them': `
    select count(*)
      from (select created_on, lag(created_on) over (partition by workspace_id order by number) as before
              from activities) a
     where created_on < before`,
  'members have another total or last recognition than their activities say': `
    select count(*)
      from members m
      left join (select workspace_id, receiver_id as id, count(*) as n,
                        max((created_on at time zone 'utc')::date) as day
                   from activities group by 1, 2) a using (workspace_id, id)
     where m.recognition_count <> coalesce(a.n, 0) or m.last_recognized_on is distinct from a.day`,
  'days have another number of last recognitions than members say': `
    select count(*)
      from (select workspace_id, day, members as n from recognition_days where members <> 0) d
      full join (select workspace_id, last_recognized_on as day, count(*) as n
                   from members where last_recognized_on is not null group by 1, 2) m using (workspace_id, day)
     where d.n is distinct from m.n`,
  'members exist twice': `
    select count(*)
      from (select from members where email is not null group by workspace_id, lower(email) having count(*) > 1
            union all
            select from members where employee_number is not null
             group by workspace_id, employee_number having count(*) > 1) doubled`,
  'idempotency keys have more than one order': `
    select count(*)
      from (select from order_requests where idempotency_key is not null
             group by workspace_id, idempotency_key having count(*) > 1) doubled`,
};

/** What does not agree within the database, one sentence each. */
export async function readWrongs(on: Queryable): Promise<string[]> {
  const sentences: string[] = [];
  for (const [what, sql] of Object.entries(wrongs)) {
    const [row] = await on.query<{ wrong: number }>(`select (${sql}) as wrong`);
    if (row?.wrong !== 0) sentences.push(`${row?.wrong} ${what}.`);
  }
  return sentences;
}
