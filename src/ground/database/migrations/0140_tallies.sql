-- How many posts to an endpoint succeeded and failed in each of the past half hours, and how many requests a token made on each of the past days.
-- Both are counts by period, and only the latest periods are kept.
--
-- What is locked, and for how long: both change the catalogue alone.

alter table webhooks add column posts jsonb not null default '[]';
alter table api_token_workspaces add column requests jsonb not null default '[]';
