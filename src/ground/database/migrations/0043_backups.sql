-- Backups that were written, and attempts that failed: when, where, and why not (ground/backup).
create table backups (
  started_at  timestamptz primary key,
  finished_at timestamptz not null,
  -- Null of an attempt that failed.
  file        text,
  bytes       bigint,
  failure     text
);
