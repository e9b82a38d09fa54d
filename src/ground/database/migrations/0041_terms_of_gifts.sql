-- A gift can have its own language and time of delivery. Null: those of its order. No other table has columns of these names: statements of 0.7.0
-- name columns without their table.
alter table certificates
  add column gift_language text,
  add column gift_deliver_at timestamptz;

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
