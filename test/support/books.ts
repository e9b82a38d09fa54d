import assert from 'node:assert/strict';
import type { Queryable } from '../../src/ground/database/database.ts';
import { countWrongs, derivedWrongs } from './derived.ts';
import type { TestService } from './service.ts';

/** Statements that count violations of invariants, by the sentence that reports them. */
const wrongs: Record<string, string> = {
  ...derivedWrongs,
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
  'activities are older than the one before them': `
    select count(*)
      from (select created_on, lag(created_on) over (partition by workspace_id order by number) as before
              from activities) a
     where created_on < before`,
  'shoutouts have no activity that says the same': `
    select count(*)
      from shoutouts s
      left join activities a using (workspace_id, number)
     where a.type is distinct from 'SHOUTOUT'
        or (not s.body ? 'erased' and a.description is distinct from s.body ->> 'message')
        or (a.status = 'DECLINED' and s.decided_at is null)
        or (a.status = 'PENDING' and s.decided_at is not null)`,
  'idempotency keys have more than one shoutout': `
    select count(*)
      from (select from shoutouts where idempotency_key is not null
             group by workspace_id, idempotency_key having count(*) > 1) doubled`,
  'members are not in the team that they joined last': `
    select count(*)
      from members m
      join workspaces w on w.id = m.workspace_id
     where m.team_id <> coalesce((select t.team_id from team_members t
                                   where t.workspace_id = m.workspace_id and t.member_id = m.id
                                   order by joined desc limit 1), w.default_team_id)`,
  'merged records lead to one that was merged itself, or left without them': `
    select count(*)
      from members m
      join members kept on kept.workspace_id = m.workspace_id and kept.id = m.merged_into
     where kept.merged_into is not null or (kept.left_at is null) <> (m.left_at is null)`,
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

/** Which invariants the database violates, one sentence each. */
export function readWrongs(on: Queryable): Promise<string[]> {
  return countWrongs(on, wrongs);
}

/** Checks all invariants, and that the workspace has exactly this number of gifts and no other recognition. */
export async function checkBooks(on: Queryable, workspaceId: number, gifts: number): Promise<void> {
  assert.deepEqual(await readWrongs(on), []);
  const [totals] = await on.query(
    `select (select count(*) from certificates where workspace_id = $1)                     as certificates,
            (select sum(gift_count) from orders where workspace_id = $1 and id is not null) as promised,
            (select count(*) from activities where workspace_id = $1)                       as activities,
            (select total from activity_counters where workspace_id = $1)                   as counter,
            (select sum(recognition_count) from members where workspace_id = $1)            as recognitions`,
    [workspaceId],
  );
  assert.deepEqual(totals, {
    certificates: gifts,
    promised: gifts,
    activities: gifts,
    counter: gifts,
    recognitions: gifts,
  });
}

/** Checks all invariants in the databases of these services, and that no request to them was answered with 500. */
export async function checkServices(...services: TestService[]): Promise<void> {
  for (const { database } of services) assert.deepEqual(await readWrongs(database), []);
  const failures = services.flatMap(({ logLines }) => logLines()).filter(({ status }) => status === 500);
  assert.deepEqual(failures, []);
}
