-- Cancels, resends and extensions of many gifts at once. A worker finds the gifts and repairs them, and continues after a crash.

-- What is locked, and for how long: new tables alone.
create table bulk_actions (
  workspace_id     bigint       not null references workspaces,
  -- 1, 2, 3 … in the workspace.
  id               bigint       not null,
  action           text         not null check (action in ('CANCEL', 'RESEND', 'EXTEND')),
  -- Which gifts: the filters of the list of gifts, or ids.
  filter           jsonb        not null,
  -- Of EXTEND; null means no expiry.
  expires_on       date,
  -- Gifts that were issued later are left out.
  last_gift_id     bigint       not null,
  actor            text         not null,
  actor_id         bigint,
  actor_name       text,
  idempotency_key  text,
  created_at       timestamptz  not null,
  -- The search for gifts continues behind this one.
  searched_to      bigint,
  found_at         timestamptz,
  finished_at      timestamptz,
  primary key (workspace_id, id)
);
create index bulk_actions_open on bulk_actions (workspace_id, id) where finished_at is null;
create unique index bulk_actions_idempotency on bulk_actions (workspace_id, idempotency_key)
  where idempotency_key is not null;

create table bulk_action_gifts (
  workspace_id  bigint  not null,
  action_id     bigint  not null,
  gift_id       bigint  not null,
  -- Null while the gift waits for its turn.
  outcome       text    check (outcome in ('CHANGED', 'UNCHANGED', 'REJECTED')),
  -- Why it was rejected.
  reason        text,
  primary key (workspace_id, action_id, gift_id),
  foreign key (workspace_id, action_id) references bulk_actions
);
create index bulk_action_gifts_open on bulk_action_gifts (workspace_id, action_id, gift_id) where outcome is null;
