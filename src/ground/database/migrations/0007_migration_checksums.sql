-- The checksum of each migration's file, as it was when this database was migrated. A start compares: a file that is
-- edited later would make new databases differ from this one.
create table migration_checksums (
  name   text primary key,
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$')
);
