-- No version that may still run accepts or fulfils orders through a queue of jobs: pending_orders alone lists what waits. Orders that an
-- old version accepted or finished without that table are entered and removed here.
insert into pending_orders (workspace_id, request_id, gifts, accepted_at)
select r.workspace_id, r.request_id, jsonb_array_length(r.body -> 'orderItems'), r.accepted_at
  from order_requests r
 where not exists (select from orders o where o.workspace_id = r.workspace_id and o.request_id = r.request_id)
   and not exists (select from pending_orders p where p.workspace_id = r.workspace_id and p.request_id = r.request_id)
 order by r.accepted_at, r.request_id;

delete from pending_orders p
 using orders o
 where o.workspace_id = p.workspace_id
   and o.request_id = p.request_id;

drop table fulfilment_progress;

-- Absent where no older version has run.
drop schema if exists graphile_worker cascade;
