-- resumable
-- Budgets of teams, cost centres and departments, money that lapses, and the most that one recipient gets in a year.
--
-- What is locked, and for how long: columns and checks that are not compared with the rows that are there change the catalogue alone. No other
-- table has columns of these names: statements of 0.7.0 name columns without their table.

-- How much one person may receive in a calendar year, by currency. Grants have it, so that other orders cost no query.
alter table workspaces add column if not exists recipient_caps jsonb not null default '[]';

alter table budgets
  -- Of a TEAM: the team. It has no foreign key, because a team can be deleted, and its budget keeps its ledger.
  add column if not exists shared_team_id bigint,
  -- Of a COST_CENTRE or DEPARTMENT: its name, compared without case.
  add column if not exists shared_name    text,
  -- The most that the orders of one person draw on it in a calendar month.
  add column if not exists person_cap     numeric(20, 4),
  -- At the end of which periods the available money lapses, and when it does so next; null: it stays.
  add column if not exists lapse_every    text,
  add column if not exists lapses_at      timestamptz;

alter table budgets
  drop constraint if exists budgets_kind_check,
  drop constraint if exists budgets_shared,
  drop constraint if exists budgets_lapse,
  drop constraint if exists budgets_lapse_first,
  drop constraint if exists budgets_period,
  add constraint budgets_shared check (
    case kind when 'WORKSPACE' then shared_team_id is null and shared_name is null
              when 'MEMBER' then shared_team_id is null and shared_name is null
              when 'UNLIMITED' then shared_team_id is null and shared_name is null
              when 'TEAM' then shared_team_id is not null and shared_name is null
              when 'COST_CENTRE' then shared_team_id is null and shared_name <> ''
              when 'DEPARTMENT' then shared_team_id is null and shared_name <> ''
              else false end) not valid,
  add constraint budgets_lapse check ((lapse_every is null) = (lapses_at is null)) not valid,
  -- What is left of a period lapses before the next allowance comes. A node of 0.7.0 does not know that, and cannot grant it first. Both times
  -- are at most 26 hours apart where the workspace has moved to another time zone.
  add constraint budgets_lapse_first check (next_allowance_at <= lapses_at + interval '26 hours') not valid,
  -- An order draws on no money that should have lapsed. Entries of orders alone have a largest gift.
  add constraint budgets_period check (largest_gift is null or latest_at < lapses_at) not valid;

create unique index concurrently if not exists budgets_owners
  on budgets (workspace_id, currency, kind, member_id, shared_team_id, lower(shared_name)) nulls not distinct;
drop index concurrently if exists budgets_owner;
create index concurrently if not exists budgets_lapses on budgets (lapses_at) where lapses_at is not null;

-- In whose share of a shared budget an order counts, and in which month.
alter table order_budgets
  add column if not exists share_member_id bigint,
  add column if not exists share_month     date;

-- What the orders of each person have drawn on a budget in a month, less what came back.
create table if not exists budget_shares (
  workspace_id  bigint          not null,
  budget_id     bigint          not null,
  member_id     bigint          not null,
  month         date            not null,
  amount        numeric(20, 4)  not null,
  -- The most that this record could have drawn when its latest order was accepted; null after money came back.
  month_cap     numeric(20, 4),
  primary key (workspace_id, budget_id, member_id, month),
  -- No race can exceed the cap of a person: the database rejects it.
  constraint budget_shares_cap check (amount <= month_cap)
);
