-- Accepted orders that wait for fulfilment: a row is added with the order and removed with its outcome. What is unfinished
-- is found here, whatever a clock says. (fulfilment_progress, which held a time, is only for the version before.)
create table pending_orders (
  workspace_id bigint not null,
  -- The sequence of acceptance, in which a workspace's orders are fulfilled.
  number       bigint generated always as identity,
  request_id   uuid not null,
  gifts        int not null,
  accepted_at  timestamptz not null default now(),
  primary key (workspace_id, number),
  unique (workspace_id, request_id)
);

insert into pending_orders (workspace_id, request_id, gifts, accepted_at)
select r.workspace_id, r.request_id, jsonb_array_length(r.body -> 'orderItems'), r.accepted_at
  from order_requests r
 where not exists (select from orders o where o.workspace_id = r.workspace_id and o.request_id = r.request_id)
 order by r.accepted_at, r.request_id;
