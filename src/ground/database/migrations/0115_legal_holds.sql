-- People whose data must not be erased.
--
-- What is locked, and for how long: a new table, which locks nothing that serves.

create table legal_holds (
  workspace_id  bigint       not null references workspaces,
  member_id     bigint       not null,
  reason        text         not null,
  -- Who placed it: the kind and the id, without a name.
  placed_by     jsonb        not null,
  placed_at     timestamptz  not null,
  primary key (workspace_id, member_id),
  foreign key (workspace_id, member_id) references members
);
