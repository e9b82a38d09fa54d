-- resumable
-- What automations need to know beside the dates of people: when they are on leave, and which of their days colleagues are not told about. New columns
-- without a default change the catalogue alone.
alter table members
  add column if not exists leave_starts_on  date,
  add column if not exists leave_ends_on date,
  add column if not exists hidden_days text;
