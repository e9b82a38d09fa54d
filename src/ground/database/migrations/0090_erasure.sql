-- Erasing people: what was asked for, how far the work has come, and how erased people are recognized in old files.

-- What is locked, and for how long: new tables, and columns that are null or have a constant default, which change the catalogue alone.
create table erasures (
  workspace_id  bigint       not null,
  member_id     bigint       not null,
  -- REQUESTED waits for a second person, WAITING for its day.
  state         text         not null check (state in ('REQUESTED', 'WAITING', 'RUNNING', 'DONE', 'STOPPED')),
  -- Who, without a name.
  requested_by  jsonb        not null,
  requested_at  timestamptz  not null,
  confirmed_by  jsonb,
  -- Not before.
  due_at        timestamptz,
  -- What identifies the person, while the work runs; null again afterwards.
  traces        jsonb,
  done_at       timestamptz,
  primary key (workspace_id, member_id)
);
create index erasures_due on erasures (due_at) where state = 'WAITING';

-- The work for the people of a workspace who are erased together.
create table erasure_runs (
  workspace_id  bigint       not null primary key,
  members       bigint[]     not null,
  step          text         not null,
  after_key     text
);

-- Hashes of addresses and employee numbers of erased people, with the key of the workspace.
create table erased_marks (
  workspace_id  bigint       not null,
  mark          bytea        not null,
  member_id     bigint       not null,
  erased_on     date         not null,
  primary key (workspace_id, mark)
);

-- Whom the tax log names for a person who was erased, until the law lets it go.
create table tax_identities (
  workspace_id     bigint  not null,
  member_id        bigint  not null,
  first_name       text    not null,
  last_name        text    not null,
  employee_number  text,
  keep_until       date    not null,
  primary key (workspace_id, member_id)
);

alter table members add column erased_at timestamptz;
alter table workspaces
  add column erasure_confirmation text not null default 'PAUSE',
  add column erasure_key bytea;
