-- What each sender has sent in a calendar month, for rules by that total. Counted only while a workspace has such a rule.

-- What is locked, and for how long: new tables.
create table sender_months (
  workspace_id  bigint          not null,
  member_id     bigint          not null,
  currency      text            not null,
  -- The first day of the month, in the workspace's time zone.
  month         date            not null,
  -- Of orders that were accepted while every node counted, and of those before.
  counted       numeric(20, 4)  not null default 0,
  earlier       numeric(20, 4)  not null default 0,
  primary key (workspace_id, member_id, currency, month)
);

-- What an order has added to `counted`, so that exactly this is taken back if it fails.
create table sender_month_orders (
  workspace_id  bigint          not null,
  request_id    uuid            not null,
  member_id     bigint          not null,
  currency      text            not null,
  month         date            not null,
  amount        numeric(20, 4)  not null,
  primary key (workspace_id, request_id)
);

-- Since when a workspace counts, in which currencies, and when the orders before were added; null: not yet.
create table sender_month_counts (
  workspace_id  bigint       not null primary key,
  currencies    text[]       not null,
  since         timestamptz  not null,
  added_at      timestamptz
);
