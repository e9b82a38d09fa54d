-- What each sender has sent in a calendar month, for rules by that total. Counted only while a workspace has such a rule.

-- What is locked, and for how long: new tables.
create table sender_months (
  workspace_id  bigint          not null,
  -- The first day of the month, in the workspace's time zone.
  month         date            not null,
  member_id     bigint          not null,
  currency      text            not null,
  -- The one of sender_month_counts. Totals of rounds before are not read.
  round         int             not null,
  -- Of orders that were accepted while every node counted, and of those before.
  counted       numeric(20, 4)  not null default 0,
  earlier       numeric(20, 4)  not null default 0,
  primary key (workspace_id, month, member_id, currency, round)
);

-- What an order has added to `counted`, so that exactly this is taken back if it fails.
create table sender_month_orders (
  workspace_id  bigint          not null,
  request_id    uuid            not null,
  member_id     bigint          not null,
  currency      text            not null,
  month         date            not null,
  round         int             not null,
  amount        numeric(20, 4)  not null,
  primary key (workspace_id, request_id)
);

-- The currencies that a workspace counts or has counted. Each time it begins to count one again, a new round begins at nothing.
create table sender_month_counts (
  workspace_id  bigint       not null,
  currency      text         not null,
  round         int          not null default 1,
  -- Since when it counts; null: it does not count now.
  since         timestamptz,
  -- When the orders before were added; null: not yet.
  added_at      timestamptz,
  primary key (workspace_id, currency)
);
