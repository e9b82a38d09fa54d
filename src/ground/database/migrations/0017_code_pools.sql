-- Codes of shops that a company bought, for recipients who spend their gifts there. What a code says is encrypted with a key that
-- is not in the database, so that a dump reveals none.

create sequence code_pool_ids;
create sequence pool_code_ids;

create table code_pools (
  workspace_id  bigint      not null references workspaces,
  id            bigint      not null,
  name          text        not null,
  currency      text        not null,
  -- How few codes of a retailer and value count as low.
  low_at        int         not null default 10 check (low_at between 0 and 100000),
  created_at    timestamptz not null default now(),
  primary key (workspace_id, id)
);
create unique index code_pools_name on code_pools (workspace_id, lower(name));

create table pool_codes (
  workspace_id   bigint         not null,
  id             bigint         not null,
  pool_id        bigint         not null,
  retailer       text           not null,
  value          numeric(12, 4) not null check (value > 0),
  -- The last day on which the shop takes it; null: for good.
  expires_on     date,
  -- The code and its PIN, encrypted (code-pools/seal.ts), and the version of the gift token key that the encryption key derives from.
  key_version    int            not null,
  sealed         bytea          not null,
  -- A keyed hash of the code, to find the same code twice.
  hash           bytea          not null,
  added_at       timestamptz    not null,
  -- Who got it. A code that was given is never given again: nothing sets these back.
  redemption_id  bigint,
  given_at       timestamptz,
  primary key (workspace_id, id),
  foreign key (workspace_id, pool_id) references code_pools,
  foreign key (workspace_id, redemption_id) references redemptions,
  check ((redemption_id is null) = (given_at is null))
);
create unique index pool_codes_hash on pool_codes (workspace_id, hash);
create unique index pool_codes_redemption on pool_codes (workspace_id, redemption_id) where redemption_id is not null;
create index pool_codes_stock on pool_codes (workspace_id, pool_id, retailer, value, expires_on, id) where redemption_id is null;

-- What a pool has of each retailer and value, and which level was announced last.
create table pool_stocks (
  workspace_id  bigint         not null,
  pool_id       bigint         not null,
  retailer      text           not null,
  value         numeric(12, 4) not null,
  given         bigint         not null default 0,
  announced     text           not null default 'ENOUGH' check (announced in ('ENOUGH', 'LOW', 'EMPTY')),
  primary key (workspace_id, pool_id, retailer, value),
  foreign key (workspace_id, pool_id) references code_pools
);
