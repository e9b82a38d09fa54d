-- Backups that a worker has written for the night, or has failed to write. The others were written by hand.
alter table backups add column is_nightly boolean not null default false;
