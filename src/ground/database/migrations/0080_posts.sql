-- resumable
-- Shoutouts to several people in one post, and the feed.
--
-- What is locked, and for how long: columns without a value change the catalogue alone, and the indexes are built concurrently.

alter table activities
  -- Of a shoutout to several people: the number of the first one. All of them have it, the first one too.
  add column if not exists lead_number bigint,
  -- When it left the feed, because its sender has deleted it or the people team has hidden it.
  add column if not exists hidden_at   timestamptz;

create index concurrently if not exists activities_of_posts on activities (workspace_id, lead_number, number)
  where lead_number is not null;
-- The feed: the first shoutout of each post that everyone may see.
create index concurrently if not exists activities_feed on activities (workspace_id, number)
  where type = 'SHOUTOUT' and status = 'APPROVED' and not is_private and hidden_at is null and (lead_number is null or lead_number = number);
create index concurrently if not exists activities_feed_reasons on activities (workspace_id, reason_id, number)
  where type = 'SHOUTOUT' and status = 'APPROVED' and not is_private and hidden_at is null and (lead_number is null or lead_number = number);
create index concurrently if not exists activities_private_given on activities (workspace_id, sender_id, number) where is_private;
create index concurrently if not exists activities_private_received on activities (workspace_id, receiver_id, number) where is_private;
