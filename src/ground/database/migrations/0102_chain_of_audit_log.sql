-- The audit log is a chain in each workspace: every entry has a number without gaps, and the hash of the entry before.
-- Entries that the release before writes have none of these until the chain takes them in.
alter table audit_log
  add column number      bigint,
  add column previous    bytea,
  add column hash        bytea,
  -- The hash covers names and details only as text_hash, which is made with this key. Erasing a person replaces the key.
  add column text_key    bytea,
  add column text_hash   bytea,
  -- When the chain took in an entry that was written without it; null for entries that were written with it.
  add column taken_in_at timestamptz;

-- The end of each chain, which writers lock last, and where it begins since old entries were removed.
create table audit_chains (
  workspace_id      bigint not null references workspaces primary key,
  number            bigint not null default 0,
  hash              bytea  not null default decode(repeat('00', 32), 'hex'),
  checkpoint_number bigint not null default 0,
  checkpoint_hash   bytea  not null default decode(repeat('00', 32), 'hex')
);

-- Nodes of the release before would remove entries without moving the beginning of the chain, so their runs end.
insert into retention_runs (workspace_id, kind, next_at, removed)
select workspace_id, 'audit-entries', now(), removed from retention_runs where kind = 'audit-log';
update retention_runs set next_at = '9999-01-01', after_key = null where kind = 'audit-log';
