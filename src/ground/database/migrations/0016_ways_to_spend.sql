-- How recipients spend their gifts. The version before must not run beside this one: it does not know that a gift can be redeemed.

alter table certificates
  -- How much of it is spent: the sum of its redemptions that were not reversed or declined.
  add column redeemed numeric(12, 4) not null default 0;
-- No race can spend a gift twice: the database refuses it.
alter table certificates
  add constraint certificates_redeemed check (redeemed >= 0 and redeemed <= amount) not valid;

-- The ways to spend that a workspace offers. A workspace without a row of the id "payroll" offers payroll.
create table ways (
  workspace_id  bigint         not null references workspaces,
  -- A word that the workspace chooses, as "payroll" or "book-shop".
  id            text           not null,
  kind          text           not null check (kind in ('PAYROLL', 'POOL', 'HAND', 'TILL')),
  name          text           not null,
  description   text           not null,
  -- Null: in all currencies.
  currencies    text[],
  min_amount    numeric(12, 4) check (min_amount > 0),
  max_amount    numeric(12, 4) check (max_amount > 0),
  allows_parts  boolean        not null,
  is_on         boolean        not null,
  position      int            not null,
  -- What employers note about it for tax.
  tax_type      text           not null check (tax_type in ('CASH', 'NEAR_CASH', 'NON_CASH')),
  -- What belongs to its kind: the link of a shop, the columns of payroll.
  detail        jsonb          not null,
  primary key (workspace_id, id)
);

create sequence redemption_ids;

-- Parts of gifts that were spent. Amount, way and gift never change; the state does.
create table redemptions (
  workspace_id     bigint         not null,
  id               bigint         not null,
  request_id       uuid           not null,
  position         int            not null,
  -- The way as it was then: ways can be renamed.
  way              text           not null,
  kind             text           not null check (kind in ('PAYROLL', 'POOL', 'HAND', 'TILL')),
  way_name         text           not null,
  tax_type         text           not null check (tax_type in ('CASH', 'NEAR_CASH', 'NON_CASH')),
  -- Where it was spent, if that is known.
  retailer         text,
  amount           numeric(12, 4) not null check (amount > 0),
  -- REQUESTED: somebody has to fulfil it. DECLINED and REVERSED: the gift has its balance back.
  state            text           not null check (state in ('REQUESTED', 'DONE', 'REVERSED', 'DECLINED')),
  idempotency_key  text,
  -- What was asked for under that key.
  body             jsonb,
  at               timestamptz    not null,
  -- When it was fulfilled, declined or reversed.
  finished_at      timestamptz,
  detail           jsonb          not null,
  -- The payroll exports that have it, and its reversal.
  exported_in      bigint,
  reversed_in      bigint,
  primary key (workspace_id, id),
  check (reversed_in is null or exported_in is not null)
);
-- The caller's keys are kept apart by kind: what recipients choose on the gift page never collides with the keys of a till.
create unique index redemptions_idempotency on redemptions (workspace_id, kind, idempotency_key)
  where idempotency_key is not null;
create index redemptions_gift on redemptions (workspace_id, request_id, position);
create index redemptions_at on redemptions (workspace_id, at, id);
create index redemptions_requested on redemptions (workspace_id, at, id) where state = 'REQUESTED';
-- What the next payroll export has to hold.
create index redemptions_unpaid on redemptions (workspace_id, id)
  where kind = 'PAYROLL' and state = 'DONE' and exported_in is null;
create index redemptions_unreturned on redemptions (workspace_id, id)
  where kind = 'PAYROLL' and state = 'REVERSED' and exported_in is not null and reversed_in is null;

-- Closed payroll exports. The text of each line is stored, so that a file is the same whenever it is read.
create table payroll_exports (
  workspace_id     bigint         not null references workspaces,
  -- 1, 2, 3 … in the workspace.
  number           bigint         not null,
  closed_at        timestamptz    not null,
  -- Who closed it, as the audit log names them.
  closed_by        text,
  -- The line with the names of the columns.
  header           text           not null,
  lines            int            not null check (lines > 0),
  -- What is paid in each currency, less what is taken back.
  totals           jsonb          not null,
  -- SHA-256 of the file.
  hash             bytea          not null,
  idempotency_key  text,
  primary key (workspace_id, number)
);
create unique index payroll_exports_idempotency on payroll_exports (workspace_id, idempotency_key)
  where idempotency_key is not null;

create table payroll_lines (
  workspace_id   bigint         not null,
  number         bigint         not null,
  -- 1, 2, 3 … in the export.
  nth            int            not null,
  redemption_id  bigint         not null,
  -- Negative for the reversal of a redemption that an earlier export has.
  amount         numeric(12, 4) not null check (amount <> 0),
  text           text           not null,
  primary key (workspace_id, number, nth)
);
-- The database allows a redemption one line that pays it and one that takes it back.
create unique index payroll_lines_once on payroll_lines (workspace_id, redemption_id, (amount > 0));
