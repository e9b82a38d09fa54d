-- resumable
-- The first day of people, and the last day of people who have not left yet. New columns without a default change the catalogue alone.
alter table members
  add column if not exists hired_on  date,
  add column if not exists leaves_on date;

-- The people whose last day is known, for the job that marks them as left after it.
create index concurrently members_leaving on members (workspace_id, leaves_on) where leaves_on is not null and left_at is null;
