import type { Database } from '../src/ground/database/database.ts';

/**
 * What else a company has after some years, so that every list of the console is long: teams, mails, claimed and expiring gifts, orders that
 * failed, an audit log. The company was made by `fill`.
 */
export async function dress(database: Database, workspaceId: number): Promise<void> {
  for (const sql of [...teamsSql, ...giftsSql, mailsSql, logSql, failedOrdersSql, auditSql])
    await database.query(sql, sql.includes('$1') ? [workspaceId] : []);
  await database.pool.query('vacuum full members, certificates');
  await database.pool.query(
    'vacuum (analyze) members, certificates, mails, gift_log, order_requests, orders, audit_log, teams, team_members',
  );
}

const teamsSql = [
  `insert into teams (workspace_id, name)
   select $1, case when n % 50 = 7 then 'Customer Experience and Field Operations, Region ' else 'Team ' end || n
     from generate_series(1, 200) as n`,
  `with numbered as (
     select id, row_number() over (order by id) as nth from teams where workspace_id = $1 and name ~ '[0-9]$'
   ),
   joined as (
     insert into team_members (workspace_id, team_id, member_id)
     select $1, t.id, m.id from members m join numbered t on t.nth = 1 + m.id % 200 where m.workspace_id = $1 and not m.is_integration
     returning team_id, member_id
   )
   update members m set team_id = joined.team_id from joined where m.workspace_id = $1 and m.id = joined.member_id`,
];

/** Of ten gifts seven are claimed. Those of the last weeks expire soon. */
const giftsSql = [
  `update certificates c
      set state = 'CLAIMED', claimed_at = o.finished_at + interval '2 hours' * (c.id % 90), viewed_at = o.finished_at + interval '1 hour',
          thanks = case when c.id % 9 = 0 then 'What a lovely surprise, thank you!' end
     from orders o
    where c.workspace_id = $1 and o.workspace_id = $1 and o.request_id = c.request_id
      and c.id % 10 < 7 and o.finished_at < now() - interval '8 days'`,
  `update certificates c
      set expires_at = o.finished_at + interval '90 days'
     from orders o
    where c.workspace_id = $1 and o.workspace_id = $1 and o.request_id = c.request_id
      and c.state = 'ISSUED' and o.finished_at > now() - interval '89 days'`,
];

/** A mail for each gift. Of the latest, some have failed, and some wait for an address. */
const mailsSql = `
  insert into mails (workspace_id, request_id, position, kind, edition, nth, state, due_at, sent_at)
  select c.workspace_id, c.request_id, c.position, 'GIFT', 0, 0, sent.state, o.finished_at,
         case when sent.state = 'SENT' then o.finished_at + interval '1 second' * (c.id % 60) end
    from certificates c
    join orders o on o.workspace_id = c.workspace_id and o.request_id = c.request_id
   cross join lateral (
           select case when o.finished_at < now() - interval '60 days' then 'SENT' when c.id % 37 = 0 then 'FAILED'
                       when c.id % 41 = 0 then 'NO_ADDRESS' else 'SENT' end as state) sent
   where c.workspace_id = $1`;

const logSql = `
  insert into gift_log (workspace_id, request_id, position, type, at, detail)
  select workspace_id, request_id, position, 'SENT', sent_at, '{"answer": "250 2.0.0 OK"}'
    from mails
   where workspace_id = $1 and state = 'SENT'
   order by sent_at`;

const failedOrdersSql = `
  with failed as (
    insert into order_requests (workspace_id, request_id, token_id, sender_id, sender_name, currency, language, body, accepted_at)
    select workspace_id, uuidv7(accepted_at - now()), token_id, sender_id, sender_name, currency, language, body, accepted_at
      from order_requests
     where workspace_id = $1
     order by request_id desc
     limit 300
    returning workspace_id, request_id, accepted_at
  )
  insert into orders (workspace_id, request_id, gift_count, failure, finished_at)
  select workspace_id, request_id, 0, 'The database refused it.', accepted_at from failed`;

const auditSql = `
  insert into audit_log (workspace_id, id, at, actor, actor_id, actor_name, action, subject_id, subject_name)
  select $1, nextval('audit_ids'), now() - interval '5 minutes' * (200000 - n), case when n % 4 = 0 then 'TOKEN' else 'USER' end, n % 40,
         'Somebody ' || n % 40, (array['member.changed', 'gift.resent', 'order.created', 'token.created'])[1 + n % 4], n::text, 'Thing ' || n
    from generate_series(1, 200000) as n`;
