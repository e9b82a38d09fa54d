import type { Database, Queryable } from '../src/database/database.ts';

export interface History {
  workspaceId: number;
  members: number;
  /** All told; every member gets the same number of them. */
  gifts: number;
  giftsPerOrder: number;
}

const chunk = 250_000;

/**
 * Three years of a company's gifts, written as fulfilment writes them: orders, certificates, activities, members and the
 * counts by day agree with each other. The last gift of a member is as long ago as its number says.
 *
 * Of the members, 1 in 10 is in a given department, 1 in 1,000 at a given location, 1 in 10,000 in a given cost centre.
 */
export async function fill(database: Database, history: History, onProgress: (share: number) => void): Promise<void> {
  const { workspaceId, members, gifts, giftsPerOrder } = history;
  const now = new Date();
  const total = members + gifts;
  let done = 0;
  const advance = (count: number) => {
    done += count;
    onProgress(done / total);
  };

  const firstMember = await reserve(database, `pg_get_serial_sequence('members', 'id')`, members);
  const firstCertificate = await reserve(database, `'certificate_ids'`, gifts);
  const firstOrder = await reserve(database, `'order_ids'`, gifts / giftsPerOrder);
  for (let from = 1; from <= members; from += chunk) {
    const upTo = Math.min(from + chunk - 1, members);
    await write(database, addMembersSql, [workspaceId, firstMember, from, upTo, members, gifts, giftsPerOrder, now]);
    advance(upTo - from + 1);
  }
  for (let from = 1; from <= gifts; from += chunk) {
    const upTo = Math.min(from + chunk - 1, gifts);
    const firsts = [firstMember, firstCertificate, firstOrder];
    await write(database, addGiftsSql, [workspaceId, from, upTo, members, gifts, giftsPerOrder, ...firsts, now]);
    advance(upTo - from + 1);
  }
  await write(database, countSql, [workspaceId, gifts]);
  await write(database, countDaysSql, [workspaceId]);
  await database.pool.query('vacuum (analyze) members, order_requests, orders, certificates, activities');
  await database.pool.query('checkpoint');
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

/** The moment of the nth gift, as SQL. */
const momentOf = (nth: string, gifts: string, now: string) =>
  `${now}::timestamptz - (${gifts} - ${nth}) * (interval '1095 days' / ${gifts})`;
/** The first gift of the order that the nth belongs to: all of them have its moment. */
const firstOf = (nth: string, giftsPerOrder: string) => `((${nth} - 1) / ${giftsPerOrder} * ${giftsPerOrder} + 1)`;
const day = (moment: string) => `((${moment}) at time zone 'utc')::date`;

const addMembersSql = `
  insert into members (workspace_id, id, team_id, first_name, last_name, email, employee_number, department, cost_centre,
                       location, currency, recognition_count, last_recognized_on, last_recognized_by)
  select w.id, $2::bigint + n - 1, w.default_team_id, 'First' || n, 'Last' || n, 'person' || n || '@example.com', 'E' || n,
         'Department ' || n % 10, 'Cost centre ' || n % 10000, 'Location ' || n / 10 % 1000, 'CAD',
         $6::bigint / $5::bigint, ${day(momentOf(firstOf('($6::bigint - ($6::bigint - n) % $5::bigint)', '$7::bigint'), '$6::bigint', '$8'))}, 'GIFT'
    from generate_series($3::bigint, $4::bigint) as n
    join workspaces w on w.id = $1::bigint`;

const addGiftsSql = `
  with sender as (
    select member_id as id from api_token_workspaces where workspace_id = $1::bigint
  ),
  chunk as (
    select (first + $6::bigint - 1) / $6::bigint as nth, first, uuidv7(${momentOf('first', '$5::bigint', '$10')} - now()) as request_id,
           ${momentOf('first', '$5::bigint', '$10')} as moment
      from generate_series($2::bigint, $3::bigint, $6::bigint) as first
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
    select $1::bigint, request_id, $9::bigint + nth, $6::int, moment from chunk
  ),
  issued as (
    insert into certificates (workspace_id, request_id, position, id, member_id, amount, message, key_version, short_token_hash)
    select $1::bigint, request_id, position, $8::bigint + n, $7::bigint + (n - 1) % $4::bigint, 25, 'Thank you for the launch!', 1,
           hashint8extended(n, 42)
      from gifts
  )
  insert into activities (workspace_id, number, type, status, sender_id, receiver_id, request_id, position, created_on)
  select $1::bigint, n, 'GIFT', 'APPROVED', sender.id, $7::bigint + (n - 1) % $4::bigint, request_id, position, moment
    from gifts, sender`;

const countSql = `
  update activity_counters set total = $2::bigint, latest = now() where workspace_id = $1::bigint`;

const countDaysSql = `
  insert into recognition_days (workspace_id, day, members)
  select workspace_id, last_recognized_on, count(*)
    from members
   where workspace_id = $1::bigint
     and last_recognized_on is not null
   group by workspace_id, last_recognized_on`;
