-- What the reports of the console read. The version before can go on writing this schema. Shoutouts that it gives or approves while
-- a newer version runs beside it are missing in activity_days; it fulfils no orders then.

-- What was given on which day (UTC): approved activities, and the sum of gifts in each currency. A series over years is a sum
-- of these rows, however many activities there are. The currency of shoutouts is empty.
create table activity_days (
  workspace_id  bigint  not null,
  day           date    not null,
  type          text    not null check (type in ('GIFT', 'SHOUTOUT')),
  currency      text    not null,
  activities    bigint  not null,
  amount        numeric not null,
  primary key (workspace_id, day, type, currency)
) with (fillfactor = 50);

insert into activity_days (workspace_id, day, type, currency, activities, amount)
select a.workspace_id, (a.created_on at time zone 'utc')::date, a.type, coalesce(r.currency, ''), count(*),
       coalesce(sum(c.amount), 0)
  from activities a
  left join certificates c   on c.workspace_id = a.workspace_id and c.request_id = a.request_id and c.position = a.position
  left join order_requests r on r.workspace_id = a.workspace_id and r.request_id = a.request_id
 where a.status = 'APPROVED'
 group by 1, 2, 3, 4;

-- Who was recognized in a span of days, read in the index alone. Activities get times that never go back, so new entries land at
-- the index's right edge.
create index activities_by_time on activities (workspace_id, created_on)
  include (receiver_id, sender_id, type, status);

-- The gifts that were claimed in a span of days. Gifts that nobody has claimed are not in it.
create index certificates_claimed on certificates (workspace_id, claimed_at) where claimed_at is not null;
