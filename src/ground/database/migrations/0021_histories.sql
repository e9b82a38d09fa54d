-- The histories of this database. A new one starts when the database has gone back in time: after a restore, or after a failover that
-- lost the last seconds. Ids and numbers of a history are greater than its base, so that none is given twice (database/history.ts).
create table histories (
  id                 uuid        primary key,
  base               bigint      not null unique,
  started_at         timestamptz not null,
  reason             text        not null,
  -- What tells this database from a copy or an earlier state of it. Null until the first connection.
  system_identifier  text,
  timeline           text,
  database_oid       text,
  table_oid          text,
  storage            text,
  -- When the audit log got its entries.
  noted_at           timestamptz
);
insert into histories (id, base, started_at, reason, noted_at) values (gen_random_uuid(), 0, now(), 'created', now());

-- 1: the tokens derive from the certificate's id. 2: they derive from the order's random request id and the position.
alter table certificates add column token_version smallint not null default 1;

-- Callers know a shoutout by its number and this, the base of the history in which it was given.
alter table shoutouts add column base bigint not null default 0;

-- Random values that the secrets derive from. Null: the secret derives from the webhook's id.
alter table webhooks
  add column secret_salt uuid,
  add column previous_salt uuid;
