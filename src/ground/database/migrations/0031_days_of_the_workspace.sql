-- Reports count in the days of the workspace's time zone. The two reports of the interface stay in UTC.

-- The day on which a person left, if it was named: it is the same day in every time zone.
alter table members add column left_on date;

-- A named day was stored as its beginning in UTC.
update members
   set left_on = (left_at at time zone 'utc')::date
 where left_at is not null
   and left_at at time zone 'utc' = date_trunc('day', left_at at time zone 'utc');

-- When a person was last recognized. The day in UTC stays, for the report of the interface.
alter table members add column last_recognized_at timestamptz;

update members m
   set last_recognized_at = a.created_on
  from activities a
 where a.workspace_id = m.workspace_id
   and a.number = m.last_recognized_number;

-- What was given by day, again for workspaces in other time zones.
delete from activity_days d
 using workspaces w
 where w.id = d.workspace_id
   and w.time_zone <> 'UTC';

insert into activity_days (workspace_id, day, type, currency, activities, amount)
select a.workspace_id, (a.created_on at time zone w.time_zone)::date, a.type, coalesce(o.currency, ''), count(*),
       coalesce(sum(c.amount), 0)
  from activities a
  join workspaces w          on w.id = a.workspace_id and w.time_zone <> 'UTC'
  left join certificates c   on c.workspace_id = a.workspace_id and c.request_id = a.request_id and c.position = a.position
  left join order_requests o on o.workspace_id = a.workspace_id and o.request_id = a.request_id
 where a.status = 'APPROVED'
 group by 1, 2, 3, 4;
