-- resumable
create unique index concurrently audit_log_number on audit_log (workspace_id, number) where number is not null;

-- Entries that the chain has not taken in.
create index concurrently audit_log_unchained on audit_log (workspace_id, id) where number is null;
