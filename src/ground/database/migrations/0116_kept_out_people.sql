-- People who are kept out of reports about individuals, the feed, digests and automations.
--
-- What is locked, and for how long: a new table, which locks nothing that serves.

create table kept_out_members (
  workspace_id  bigint       not null references workspaces,
  member_id     bigint       not null,
  -- Why the company keeps them out; null: they have objected themselves.
  reason        text,
  -- Who decided it: the kind and the id, without a name.
  decided_by    jsonb        not null,
  decided_at    timestamptz  not null,
  primary key (workspace_id, member_id),
  foreign key (workspace_id, member_id) references members
);
