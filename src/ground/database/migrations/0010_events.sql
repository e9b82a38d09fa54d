-- The event log: what happens in a workspace, numbered 1, 2, 3 … in the sequence of commits. Writers hold the workspace's
-- lock, so the numbers have no gaps and a reader who has seen number n has missed nothing before it.

create table event_counters (
  workspace_id     bigint not null primary key references workspaces,
  latest           bigint not null,
  latest_at        timestamptz not null,
  -- Events up to this number were removed because of their age.
  removed_through  bigint not null default 0
);

-- Without a foreign key, as the other tables that grow with every order: checking it for each row takes longer than the row.
create table events (
  workspace_id  bigint      not null,
  number        bigint      not null,
  type          text        not null collate "C",
  created_at    timestamptz not null,
  -- As text: it is written and read as a whole, and jsonb takes longer to write.
  data          json        not null,
  primary key (workspace_id, number)
);

-- For readers who ask for some types: the events of each type, without reading the others.
create unique index events_by_type on events (workspace_id, type, number);

-- Imports that are under way: what they have changed so far. The last batch turns this row into one event.
create table open_imports (
  workspace_id  bigint      not null references workspaces,
  id            uuid        not null,
  counts        jsonb       not null,
  changed_at    timestamptz not null,
  primary key (workspace_id, id)
);

create table webhooks (
  workspace_id     bigint      not null references workspaces,
  id               bigint      not null,
  url              text        not null,
  -- Empty: every type.
  types            text[]      not null,
  ordering         text        not null check (ordering in ('none', 'strict')),
  description      text,
  -- The secret derives from the server's key of this version, and from the secret's own version.
  key_version      int         not null,
  secret_version   int         not null,
  rotated_at       timestamptz,
  -- Events up to this number were delivered, or wait in webhook_retries.
  cursor           bigint      not null,
  disabled_at      timestamptz,
  disabled_reason  text,
  -- False where no row of webhook_retries can be due: most endpoints are healthy, and need no look at that table.
  has_retries      boolean     not null default false,
  -- Since when every attempt has failed.
  failing_since    timestamptz,
  -- The latest attempts, so that a healthy endpoint shows its deliveries without a row for each.
  recent           jsonb       not null default '[]',
  -- The dispatcher that delivers now, and until when it may.
  lease_owner      uuid,
  lease_until      timestamptz,
  created_at       timestamptz not null,
  primary key (workspace_id, id)
);

create sequence webhook_ids;

-- Events that an endpoint did not take, and when they are tried again.
create table webhook_retries (
  workspace_id  bigint      not null,
  webhook_id    bigint      not null,
  number        bigint      not null,
  attempts      int         not null,
  next_at       timestamptz not null,
  primary key (workspace_id, webhook_id, number),
  foreign key (workspace_id, webhook_id) references webhooks on delete cascade
);
create index webhook_retries_due on webhook_retries (workspace_id, webhook_id, next_at);

-- Attempts that failed, and those of events that had failed before.
create table webhook_attempts (
  workspace_id  bigint      not null,
  webhook_id    bigint      not null,
  id            bigint      not null,
  number        bigint      not null,
  attempted_at  timestamptz not null,
  status        int,
  duration_ms   int         not null,
  error         text,
  answer        text,
  primary key (workspace_id, webhook_id, id),
  foreign key (workspace_id, webhook_id) references webhooks on delete cascade
);
create sequence webhook_attempt_ids;
