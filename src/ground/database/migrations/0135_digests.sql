-- resumable
-- Digests: a weekly email to people who want it, and a monthly one to managers.
--
-- What is locked, and for how long: new tables, and columns that change the catalogue alone. The index is built beside writes.

alter table workspaces
  -- Whether managers are emailed which of their direct reports were not recognized.
  add column if not exists manager_digest boolean not null default false;

alter table member_preferences
  -- Whether a manager wants that email.
  add column if not exists manager_digest boolean not null default true;

create index concurrently if not exists member_preferences_digest on member_preferences (workspace_id, member_id) where digest;

-- One row for each email: it is why no week and no month is sent twice.
create table if not exists digest_mails (
  workspace_id  bigint       not null,
  -- WEEK: to a person who wants it. MONTH: to a manager.
  kind          text         not null check (kind in ('WEEK', 'MONTH')),
  -- The first day of the week or the month in which it goes out, in the person's time zone.
  period        date         not null,
  member_id     bigint       not null,
  -- SENDING: it is being handed over, or its outcome is unknown. It is not sent again.
  state         text         not null check (state in ('QUEUED', 'DEFERRED', 'SENDING', 'SENT', 'FAILED', 'CANCELLED')),
  due_at        timestamptz  not null,
  attempts      int          not null default 0,
  -- Where it was sent; null before that.
  address       text,
  sent_at       timestamptz,
  primary key (workspace_id, period, kind, member_id)
);
create index concurrently if not exists digest_mails_due on digest_mails (workspace_id, due_at, member_id) where state in ('QUEUED', 'DEFERRED');
create index concurrently if not exists digest_mails_member on digest_mails (workspace_id, member_id);

-- Up to when each workspace was searched for time zones whose hour has come.
create table if not exists digest_turns (
  workspace_id  bigint       primary key references workspaces,
  looked_until  timestamptz  not null,
  -- A worker that is killed leaves the search to another one after this moment.
  taken_until   timestamptz
);
