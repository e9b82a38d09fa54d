import assert from 'node:assert/strict';
import type { Queryable } from '../../src/database/database.ts';

/** What has to agree in a workspace at any moment at which nothing is under way. */
export async function checkBooks(on: Queryable, workspaceId: number, gifts: number): Promise<void> {
  const [books] = await on.query(
    `with numbers as (select * from activities where workspace_id = $1)
     select (select count(*) from certificates where workspace_id = $1)              as certificates,
            (select count(distinct id) from certificates where workspace_id = $1)    as "certificateIds",
            (select sum(gift_count) from orders where workspace_id = $1 and id is not null) as promised,
            (select count(*) from numbers)                                           as activities,
            (select max(number) from numbers)                                        as "lastNumber",
            (select min(number) from numbers)                                        as "firstNumber",
            (select total from activity_counters where workspace_id = $1)            as counter,
            (select count(*) from numbers a join numbers b on b.number = a.number + 1 and b.created_on < a.created_on) as "goneBack",
            (select count(*) from numbers a join certificates c using (workspace_id, request_id, position)
              where c.member_id = a.receiver_id)                                     as matched,
            (select sum(recognition_count) from members where workspace_id = $1)     as recognitions,
            (select count(*)
               from (select id, recognition_count from members where workspace_id = $1) m
               left join (select receiver_id as id, count(*) as received from numbers group by 1) n using (id)
              where recognition_count <> coalesce(received, 0)) as miscounted,
            (select count(*)
               from (select day, members from recognition_days
                      where workspace_id = $1 and members <> 0 and day <> '-infinity') d
               full join (select last_recognized_on as day, count(*) as members from members
                           where workspace_id = $1 and last_recognized_on is not null group by 1) m using (day)
              where d.members is distinct from m.members) as "wrongDays"`,
    [workspaceId],
  );
  assert.deepEqual(books, {
    certificates: gifts,
    certificateIds: gifts,
    promised: gifts,
    activities: gifts,
    lastNumber: gifts,
    firstNumber: 1,
    counter: gifts,
    goneBack: 0,
    matched: gifts,
    recognitions: gifts,
    miscounted: 0,
    wrongDays: 0,
  });
}
