-- resumable
-- What automations need to know about people: the birthday, without a year, the language, the time zone and the phone number. No other table
-- has columns of these names: statements of 0.7.0 name columns without their table. New columns without a default change the catalogue alone.
alter table members
  add column if not exists birthday       text,
  add column if not exists own_language   text,
  add column if not exists own_time_zone  text,
  add column if not exists phone_number   text,
  add column if not exists preferred_name text;

-- A year of birth cannot be stored.
alter table members
  drop constraint if exists members_birthday_check,
  add constraint members_birthday_check check (birthday ~ '^\d\d-\d\d$') not valid;

alter table members validate constraint members_birthday_check;
