import { addingMembers } from '../src/company/directory/write.ts';
import type { Database, Queryable } from '../src/ground/database/database.ts';
import { firstNames, lastNames } from './names.ts';

export interface History {
  workspaceId: number;
  members: number;
  /** All told; every member gets the same number of them. */
  gifts: number;
  giftsPerOrder: number;
  /** None, or as many as gifts: as many as an order has gifts follow it. 1 in 1,000 is declined, and some of the last still wait. */
  shoutouts?: number;
  /** Of so many members one has left; none when absent. */
  oneLeftIn?: number;
}

const chunk = 250_000;

/**
 * Three years of a company's recognition, written as the service writes it: orders, certificates, activities, members
 * and the counts by day agree with each other.
 *
 * Of the members, 1 in 10 is in a given department, 1 in 1,000 at a given location, 1 in 10,000 in a given cost centre. 1 in 10
 * manages ten others, and gives a third of the shoutouts that these get. 1 in 10 came during the three years.
 */
export async function fill(database: Database, history: History, onProgress: (share: number) => void): Promise<void> {
  const { workspaceId, members, gifts, giftsPerOrder, shoutouts = 0, oneLeftIn = 0 } = history;
  const now = new Date();
  const activities = gifts + shoutouts;
  const inChunks = async (from: number, upTo: number, sql: string, values: unknown[]) => {
    for (let first = from; first <= upTo; first += chunk) {
      const last = Math.min(first + chunk - 1, upTo);
      await write(database, sql, [workspaceId, first, last, ...values]);
      done += last - first + 1;
      onProgress(done / (activities + members));
    }
  };
  let done = 0;

  const firstMember = await reserve(database, `pg_get_serial_sequence('members', 'id')`, members);
  const firstCertificate = await reserve(database, `'certificate_ids'`, gifts);
  const firstOrder = await reserve(database, `'order_ids'`, gifts / giftsPerOrder);
  const firsts = [firstMember, firstCertificate, firstOrder];
  if (shoutouts !== 0 && shoutouts !== gifts) throw new Error('shoutouts must be none, or as many as gifts');
  const perOrder = [giftsPerOrder, shoutouts === 0 ? 0 : giftsPerOrder];
  await inChunks(1, gifts, addGiftsSql, [members, activities, ...perOrder, ...firsts, now]);
  await inChunks(1, shoutouts, addShoutoutsSql, [members, activities, giftsPerOrder, firstMember, now]);
  await inChunks(1, members, addMembersSql, [firstMember, oneLeftIn, now, firstNames, lastNames]);
  await write(database, countSql, [workspaceId]);
  await write(database, countGapsSql, [workspaceId]);
  await write(database, countDaysSql, [workspaceId]);
  await database.pool.query('vacuum (analyze) members, member_texts, order_requests, orders, certificates, activities');
}

async function reserve(database: Queryable, sequence: string, count: number): Promise<number> {
  const [row] = await database.query<{ first: number }>(
    `select setval(${sequence}, nextval(${sequence}) + $1::bigint) - $1::bigint as first`,
    [count],
  );
  return row?.first ?? 1;
}

async function write(database: Database, sql: string, values: unknown[]): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.query('set local synchronous_commit = off');
    await tx.query(sql, values);
  });
}

/** The moment of the nth activity, as SQL. */
const momentOf = (nth: string, activities: string, now: string) =>
  `${now}::timestamptz - (${activities} - ${nth}) * (interval '1095 days' / ${activities})`;

const addGiftsSql = `
  with sender as (
    select member_id as id from api_token_workspaces where workspace_id = $1::bigint
  ),
  chunk as (
    select nth, first, before, moment, uuidv7(moment - now()) as request_id
      from (select nth, first, first + (nth - 1) * $7::bigint - 1 as before,
                   ${momentOf('(first + (nth - 1) * $7::bigint)', '$5::bigint', '$11')} as moment
              from (select first, (first + $6::bigint - 1) / $6::bigint as nth
                      from generate_series($2::bigint, $3::bigint, $6::bigint) as first) orders) placed
  ),
  gifts as (
    select c.*, first + position as n, position
      from chunk c, generate_series(0, $6::int - 1) as position
  ),
  accepted as (
    insert into order_requests (workspace_id, request_id, token_id, sender_id, sender_name, currency, language, body, accepted_at)
    select $1::bigint, request_id, 1, sender.id, 'Bench', 'CAD', 'EN_CA', jsonb_build_object('currency', 'CAD', 'orderItems', items), moment
      from (select request_id, moment, jsonb_agg(jsonb_build_object(
                     'amount', 25, 'message', 'Thank you for the launch!',
                     'recipient', jsonb_build_object('email', 'person' || 1 + (n - 1) % $4::bigint || '@example.com'))
                     order by position) as items
              from gifts group by request_id, moment) orders, sender
  ),
  finished as (
    insert into orders (workspace_id, request_id, id, gift_count, finished_at)
    select $1::bigint, request_id, $10::bigint + nth, $6::int, moment from chunk
  ),
  issued as (
    insert into certificates (workspace_id, request_id, position, id, member_id, amount, message, key_version, short_token_hash)
    select $1::bigint, request_id, position, $9::bigint + n, $8::bigint + (n - 1) % $4::bigint, 25, 'Thank you for the launch!', 1,
           hashint8extended($9::bigint + n, 42)
      from gifts
  )
  insert into activities (workspace_id, number, type, status, sender_id, receiver_id, request_id, position, created_on)
  select $1::bigint, before + 1 + position, 'GIFT', 'APPROVED', sender.id, $8::bigint + (n - 1) % $4::bigint, request_id, position, moment
    from gifts, sender`;

const addShoutoutsSql = `
  insert into activities (workspace_id, number, type, status, sender_id, receiver_id, reason_id, is_private, description,
                          created_on)
  select $1::bigint, n, 'SHOUTOUT',
         case when n % 2000 = 0 then 'DECLINED' when n > $5::bigint - 1000 and n % 10 = 1 then 'PENDING' else 'APPROVED' end,
         $7::bigint + case when nth % 3 = 0 and receiver > 0 then (receiver - 1) / 10 else (receiver + 1 + nth % 997) % $4::bigint end,
         $7::bigint + receiver, w.default_reason_id, n % 20 = 0,
         'You made the new colleagues feel at home.', ${momentOf('n', '$5::bigint', '$8')}
    from (select nth, nth + ((nth - 1) / $6::bigint + 1) * $6::bigint as n, nth * 7919 % $4::bigint as receiver
            from generate_series($2::bigint, $3::bigint) as nth) given
    join workspaces w on w.id = $1::bigint`;

// What they have received is counted from what was given, as anybody would check it.
const addMembersSql = addingMembers(`
  insert into members as m (workspace_id, id, team_id, manager_id, first_name, last_name, email, employee_number, department, cost_centre,
                       location, currency, created_at, left_at, recognition_count, last_recognized_on, last_recognized_by,
                       last_recognized_number)
  select w.id, $4::bigint + n - 1, w.default_team_id, case when n > 1 then $4::bigint + (n - 2) / 10 end,
         ($7::text[])[1 + n % cardinality($7::text[])], ($8::text[])[1 + n / 7 % cardinality($8::text[])],
         'person' || n || '@example.com', 'E' || n,
         'Department ' || n % 10, 'Cost centre ' || n % 10000, 'Location ' || n / 10 % 1000, 'CAD',
         $6::timestamptz - interval '1 day' * case when n % 10 = 3 then n % 1095 else 1500 end,
         case when n % nullif($5::bigint, 0) = 0 then $6::timestamptz - interval '1 day' * (n % 700) end,
         coalesce(received.count, 0), (a.created_on at time zone 'utc')::date, a.type, a.number
    from generate_series($2::bigint, $3::bigint) as n
    join workspaces w on w.id = $1::bigint
    left join (select receiver_id, count(*) as count, max(number) as last
                 from activities
                where workspace_id = $1::bigint
                  and receiver_id between $4::bigint + $2::bigint - 1 and $4::bigint + $3::bigint - 1
                  and status = 'APPROVED'
                group by receiver_id) received on received.receiver_id = $4::bigint + n - 1
    left join activities a on a.workspace_id = $1::bigint and a.number = received.last`);

const countSql = `
  update activity_counters c
     set total = a.total, declined = a.declined, latest = now()
    from (select count(*) as total, count(*) filter (where status = 'DECLINED') as declined
            from activities
           where workspace_id = $1) a
   where c.workspace_id = $1`;

const countGapsSql = `
  insert into activity_gaps (workspace_id, size, block, gaps)
  select workspace_id, size, (number - 1) / size, count(*)
    from activities, unnest(array[1000, 1000000]) as size
   where workspace_id = $1
     and status = 'DECLINED'
   group by 1, 2, 3`;

const countDaysSql = `
  insert into activity_days (workspace_id, day, type, currency, activities, amount)
  select workspace_id, (created_on at time zone 'utc')::date, type, case type when 'GIFT' then 'CAD' else '' end, count(*),
         case type when 'GIFT' then 25 else 0 end * count(*)
    from activities
   where workspace_id = $1
     and status = 'APPROVED'
   group by 1, 2, 3, 4`;
