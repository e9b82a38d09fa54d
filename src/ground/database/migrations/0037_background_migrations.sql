-- How far the background work has come that fills rows for a new schema, in batches, while nodes serve (src/backfills.ts).
create table background_migrations (
  name          text primary key,
  -- The workspace of the latest batch, and the key of its last row there; null: the next batch is the first of the workspace after it.
  workspace_id  bigint      not null default 0,
  after_key     text,
  rows_done     bigint      not null default 0,
  -- About how many there were at the beginning.
  rows_expected bigint      not null,
  started_at    timestamptz not null,
  finished_at   timestamptz,
  -- Attempts that failed since the latest batch that did not, and the code of PostgreSQL's latest error.
  failures      int         not null default 0,
  failure       text
);
