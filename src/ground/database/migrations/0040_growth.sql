-- resumable
-- What reports keep in memory, as one process has read it, for the processes that start later. Not logged, because it can be read again.
create unlogged table if not exists report_snapshots (
  workspace_id  bigint      not null primary key references workspaces,
  id            uuid        not null,
  -- Versions read the snapshots of their own format.
  format        text        not null,
  parts         int         not null,
  -- When a report was read last, to the hour.
  read_at       timestamptz not null,
  unique (workspace_id, id)
);
create unlogged table if not exists report_snapshot_parts (
  workspace_id  bigint      not null,
  snapshot_id   uuid        not null,
  part          int         not null,
  data          bytea       not null,
  primary key (workspace_id, snapshot_id, part),
  foreign key (workspace_id, snapshot_id) references report_snapshots (workspace_id, id) on delete cascade
);
-- The columns are numbers that hardly compress.
alter table report_snapshot_parts alter column data set storage external;

-- Counts of people leave out those whom SCIM has deleted.
create index concurrently if not exists members_deprovisioned on members (workspace_id, (left_at is null))
  where deprovisioned_at is not null and merged_into is null and not is_integration;

-- For how many days the workspace keeps what Giftwire removes by age; a kind that it does not name is kept as long as usual.
alter table workspaces add column if not exists retention jsonb not null default '{}';

-- How far the removal by age has come in a workspace.
create table if not exists retention_runs (
  workspace_id  bigint      not null references workspaces,
  kind          text        not null,
  -- The key after which the next batch begins; null: at the beginning.
  after_key     text,
  -- When the next pass may begin.
  next_at       timestamptz not null,
  removed       bigint      not null default 0,
  primary key (workspace_id, kind)
);
create index concurrently if not exists retention_runs_next on retention_runs (next_at);
