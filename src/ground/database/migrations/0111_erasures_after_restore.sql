-- A restored database has people who were erased after the backup. Giftwire serves when they are erased again.

-- What is locked, and for how long: a new table, and a column that is null, which changes the catalogue alone.
-- The ids of all records of the person. They stay, so that a restored database can erase them again.
alter table erasures add column records bigint[];

-- Histories of the database in which the list of erased people was compared with it.
create table erasure_checks (
  history_id  uuid         not null primary key,
  checked_at  timestamptz  not null
);

-- Restores of the past that are in use. The worker of a restored database notes its new history only when it serves.
insert into erasure_checks (history_id, checked_at)
select id, now() from histories h where not exists (select from histories later where later.noted_at is null);
