-- Changes that can be undone for a while, and how people were before them.
--
-- What is locked, and for how long: new tables, which lock nothing that serves.

create table undos (
  workspace_id  bigint       not null references workspaces,
  id            uuid         not null,
  kind          text         not null,
  -- What was changed: a person, a user, a reason. Null for a file of people.
  subject_id    bigint,
  -- Who did it.
  actor         text         not null,
  actor_id      bigint,
  actor_name    text,
  at            timestamptz  not null,
  expires_at    timestamptz  not null,
  -- Null while the change is under way: an import has many transactions.
  ready_at      timestamptz,
  undone_at     timestamptz,
  -- How many people, for example how many were added; numbers alone.
  counts        jsonb        not null default '{}',
  -- How many rows of undo_members it needs. With fewer, one of its people was erased.
  people        int          not null default 0,
  -- What else is needed: ids and words from fixed lists.
  detail        jsonb        not null default '{}',
  primary key (workspace_id, id)
);
create index undos_latest on undos (workspace_id, at desc, id);
create index undos_expired on undos (workspace_id, expires_at);

create table undo_members (
  workspace_id       bigint  not null,
  undo_id            uuid    not null,
  member_id          bigint  not null,
  -- The person before the change; null: added by it.
  before             jsonb,
  -- A manager who was not known yet: the one text in a record that names another person.
  manager_reference  text,
  -- A hash of the person after the change: another one says that they were changed since.
  after              text    not null,
  primary key (workspace_id, undo_id, member_id),
  foreign key (workspace_id, undo_id) references undos on delete cascade
);
create index undo_members_member on undo_members (workspace_id, member_id);
