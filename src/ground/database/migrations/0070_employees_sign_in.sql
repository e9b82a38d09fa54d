-- resumable
-- All people of the directory sign in, without being users: whom a workspace lets in, their sessions and links, codes for kiosks, and preferences.
--
-- What is locked, and for how long: new tables, and columns that change the catalogue alone.

alter table workspaces
  -- OFF, ALL or AUDIENCE.
  add column if not exists employee_access        text    not null default 'OFF',
  -- As `Audience` of the contract; null unless the access is for an audience.
  add column if not exists employee_audience      jsonb,
  -- Sessions of employees that were opened before it was turned on last have ended.
  add column if not exists employee_access_since  timestamptz,
  -- For how many days people who have left read and spend what they have; null: not at all.
  add column if not exists leaver_access_days     int,
  -- Whether the subject of the OpenID provider is the external id of a member.
  add column if not exists employees_by_subject   boolean not null default false,
  add column if not exists employees_set_names    boolean not null default false;

alter table sessions
  -- Null for an employee who is not a user: see session_members.
  alter column user_id drop not null,
  -- The email address that the sign-in has proven, in lower case; null if it has proven none.
  add column if not exists email_key text,
  -- Who this is for the OpenID provider that they came from.
  add column if not exists oidc_subject text;
-- Sessions that are there fulfil the check before, which was narrower.
alter table sessions
  drop constraint if exists sessions_way_check,
  add constraint sessions_way_check check (way in ('LINK', 'PASSWORD', 'OIDC', 'KIOSK')) not valid;
alter table sessions validate constraint sessions_way_check;

-- Of links that were emailed: the address, in lower case, and the members who had it then. Null for a link that was handed over.
alter table sign_in_links
  add column if not exists email_key  text,
  add column if not exists member_ids bigint[];

-- Links for employees who are not users.
create table if not exists employee_links (
  hash        bytea       primary key,
  email_key   text        not null,
  member_ids  bigint[]    not null,
  created_at  timestamptz not null default now(),
  expires_at  timestamptz not null
);
create index concurrently if not exists employee_links_address on employee_links (email_key);
create index concurrently if not exists employee_links_expired on employee_links (expires_at);

-- The members as whom a session reads and spends: one row for each workspace.
create table if not exists session_members (
  workspace_id  bigint   not null references workspaces,
  session_id    bigint   not null references sessions on delete cascade,
  member_id     bigint   not null,
  -- Whether the person had left when they signed in.
  has_left      boolean  not null,
  primary key (workspace_id, session_id),
  foreign key (workspace_id, member_id) references members
);
create index concurrently if not exists session_members_session on session_members (session_id);
create index concurrently if not exists session_members_member on session_members (workspace_id, member_id);

-- Printed codes for kiosks, without the codes.
create table if not exists kiosk_codes (
  workspace_id  bigint       not null references workspaces,
  member_id     bigint       not null,
  -- HMAC-SHA-256 with the key of this version.
  hash          bytea        not null,
  key_version   int          not null,
  created_at    timestamptz  not null,
  used_at       timestamptz,
  primary key (workspace_id, member_id),
  foreign key (workspace_id, member_id) references members
);

-- What people have chosen that is no field of the directory. No row: as below.
create table if not exists member_preferences (
  workspace_id  bigint   not null references workspaces,
  member_id     bigint   not null,
  digest        boolean  not null default false,
  primary key (workspace_id, member_id),
  foreign key (workspace_id, member_id) references members
);

-- Employees act too. Entries that are there fulfil the check before, which was narrower.
alter table audit_log
  drop constraint if exists audit_log_actor_check,
  add constraint audit_log_actor_check check (actor in ('USER', 'TOKEN', 'AUTOMATION', 'MEMBER', 'CLI', 'SYSTEM')) not valid;
alter table audit_log validate constraint audit_log_actor_check;
