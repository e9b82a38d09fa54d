-- A gift can have its own language and time of delivery. Null: those of its order.
alter table certificates
  add column language text,
  add column deliver_at timestamptz;

-- Pending orders that nodes of 0.7.0 must leave alone: they would issue gifts without these two. Numbers come from the sequence of
-- pending_orders, so that both tables together are in the sequence of acceptance.
create table newer_pending_orders (
  workspace_id bigint not null,
  number       bigint not null default nextval('pending_orders_number_seq'),
  request_id   uuid not null,
  gifts        int not null,
  accepted_at  timestamptz not null default now(),
  primary key (workspace_id, number),
  unique (workspace_id, request_id)
);
