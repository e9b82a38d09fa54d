-- Attempts to sign in, counted over all nodes. The key is a hash of what is limited, such as an address and an e-mail address, so that
-- the table has neither. The version before does not know the table and goes on counting on each node.

-- What is locked, and for how long: nothing, because the table is new.
create table sign_in_attempts (
  key      bytea       not null primary key,
  attempts int         not null,
  -- From then on the attempts count no longer.
  ends_at  timestamptz not null
);
create index sign_in_attempts_ended on sign_in_attempts (ends_at);
