-- The Idempotency-Keys of requests that do not keep theirs themselves, as orders, shoutouts, redemptions and payroll exports do.

create table request_keys (
  workspace_id  bigint      not null references workspaces,
  -- The id of the token or the user. A key belongs to its caller.
  caller_id     bigint      not null,
  key           text        not null,
  -- The request that used the key first: one try of it, the operation, and a hash of everything that was sent.
  attempt       uuid        not null,
  operation     text        not null,
  fingerprint   bytea       not null,
  -- Whether this row was committed in one transaction with what the request has changed. Otherwise it was written before.
  is_done       boolean     not null,
  -- What was answered, and when. If the response had a secret, only the id of the record.
  response      json,
  answered_at   timestamptz,
  created_at    timestamptz not null default now(),
  primary key (workspace_id, caller_id, key)
);
create index request_keys_age on request_keys (workspace_id, created_at);
