-- resumable
-- People list the orders that they sent and that wait, or waited, for approval. Workers fill the senders of those that are there (src/backfills.ts).
--
-- What is locked, and for how long: the column changes the catalogue alone, and the index is built beside writes.

alter table order_approvals add column if not exists sender_id bigint;
create index concurrently if not exists order_approvals_sender on order_approvals (workspace_id, sender_id, state, since) where sender_id is not null;
