-- How often somebody has changed something in a workspace: every writer adds one with its lock (workspaces/lock.ts). Reports keep
-- their answers while it stands still. The version before can go on writing this schema: what it changes is seen by the other
-- columns of this table and by the event log, which reports compare too.

-- What is locked, and for how long: the new column changes the catalogue alone, because its default is a constant.
alter table activity_counters add column changes bigint not null default 0;

-- The outbox lists mails by the time of sending. A mail enters this index once, when it was sent. Sending waits while the index is
-- built, which reads the table once.
create index mails_sent on mails (workspace_id, sent_at) where state = 'SENT';
