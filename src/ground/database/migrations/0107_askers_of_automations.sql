-- Who is behind an order of an automation: they do not approve it.
--
-- What is locked, and for how long: columns that change the catalogue alone.

-- The users and tokens who added, changed or turned it on.
alter table automations add column asker_ids bigint[] not null default '{}';
-- The user or token who let it go out; null: its day came.
alter table occurrences add column requested_by bigint;
