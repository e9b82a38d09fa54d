-- resumable
-- What a verification of a workspace's books has found to agree, up to a seal: a later one reads only what is new (src/insight/books). The row is
-- sealed, so that a change of it is found. A new checkpoint replaces the one before.
create table if not exists ledger_checkpoints (
  workspace_id bigint      primary key,
  -- When the books were read, and when the latest full verification of them began.
  at           timestamptz not null,
  full_at      timestamptz not null,
  -- The latest seal then, and how many entries there were.
  seals        bigint      not null,
  entries      bigint      not null,
  -- The hash of that seal, the balances and heads of all books, the hashes of records that can still be paid out, and what was reserved.
  content      jsonb       not null
);

-- Verifications that workers run piece by piece, and what they found.
create table if not exists verifications (
  workspace_id  bigint      not null,
  -- 1, 2, 3 … in the workspace.
  number        bigint      not null,
  -- FULL: everything. DAILY: what is new since the checkpoint.
  kind          text        not null check (kind in ('FULL', 'DAILY')),
  requested_at  timestamptz not null,
  started_at    timestamptz,
  finished_at   timestamptz,
  -- Which pieces come next: what they are about, and the last key that was read. And what pieces tell later ones.
  subject       text,
  after_key     text,
  carried       jsonb       not null default '{}',
  rows_done     bigint      not null default 0,
  rows_expected bigint      not null default 0,
  -- The problems found so far.
  faults        jsonb       not null default '[]',
  -- Attempts that failed since the latest piece that did not, and the code of PostgreSQL's latest error.
  failures      int         not null default 0,
  failure       text,
  primary key (workspace_id, number)
);
create index concurrently verifications_unfinished on verifications (requested_at) where finished_at is null;

-- Gifts with money left, with all that is added up about them: each verification compares the sum with the budgets.
create index concurrently certificates_open on certificates (workspace_id) include (amount, redeemed)
  where state in ('ISSUED', 'CLAIMED', 'PARTLY_REDEEMED');
