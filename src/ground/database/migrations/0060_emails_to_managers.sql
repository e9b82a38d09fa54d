-- Emails that ask managers for a line, or nudge them, about what automations do.

-- What is locked, and for how long: a new table, which locks nothing that serves.
create table manager_mails (
  workspace_id   bigint       not null,
  occurrence_id  bigint       not null,
  -- The manager.
  member_id      bigint       not null,
  kind           text         not null check (kind in ('LINE', 'NUDGE')),
  -- The email. Occurrences of one manager and one day share it. It is random, so that a link with it never refers to another email after a restore.
  mail_id        uuid         not null,
  -- The day on which they go out, in the manager's time zone.
  for_day        date         not null,
  -- Where it was sent; null before that.
  address        text,
  state          text         not null check (state in ('QUEUED', 'DEFERRED', 'SENT', 'FAILED', 'CANCELLED')),
  due_at         timestamptz  not null,
  attempts       int          not null default 0,
  sent_at        timestamptz,
  primary key (workspace_id, occurrence_id, member_id)
);
create index manager_mails_due on manager_mails (workspace_id, due_at) where state in ('QUEUED', 'DEFERRED');
create index manager_mails_mail on manager_mails (workspace_id, mail_id);
