-- resumable
-- Orders of one batch that wait for the same decision are one request to approvers.
--
-- What is locked, and for how long: a new table, and columns that change the catalogue alone. The index is built beside writes.

-- A request to approvers. Orders join it until it is closed: then approvers are asked.
create table if not exists approval_requests (
  workspace_id  bigint       not null,
  id            uuid         not null,
  -- A hash of what the orders have in common: the batch, who sends them, the rule and its approvers, the note.
  -- Empty when it is closed.
  key           text         not null,
  -- How many orders the batch has, and how many of them joined. Those that no rule lets wait do not join.
  expected      int          not null,
  joined        int          not null,
  last_at       timestamptz  not null,
  closed_at     timestamptz,
  primary key (workspace_id, id)
);
create unique index concurrently if not exists approval_requests_open on approval_requests (workspace_id, key) where closed_at is null;

-- Null: the order is a request of its own.
alter table order_approvals add column if not exists asked_with uuid;
-- Whether lists show this order for all that are asked about with it.
alter table order_approvals add column if not exists is_first boolean not null default true;

-- What the order asked for when it began to wait. `ledger verify` compares it. Null: it waited before this migration.
alter table order_approvals add column if not exists body_hash bytea;

create index concurrently if not exists order_approvals_asked_with on order_approvals (workspace_id, asked_with) where asked_with is not null;
