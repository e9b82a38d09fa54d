-- Emails to approvers about orders that wait for them, and to senders about what was decided.

-- What is locked, and for how long: a new table, which locks nothing that serves.
create table approval_mails (
  workspace_id  bigint       not null,
  request_id    uuid         not null,
  -- Since when the order waits: an order that is retried waits again.
  since         timestamptz  not null,
  level         int          not null,
  -- ASKED: to a person who may decide this level. DECIDED: to the sender and the requester.
  kind          text         not null check (kind in ('ASKED', 'DECIDED')),
  member_id     bigint       not null,
  -- The email. Orders of one file share it. It is random, so that a link with it never refers to another email after a restore.
  mail_id       uuid         not null,
  -- A hash of what orders have in common that may share an email.
  bundle        text         not null,
  -- The account that the address belongs to; null for a sender who does not sign in.
  user_id       bigint,
  address       text         not null,
  state         text         not null check (state in ('QUEUED', 'DEFERRED', 'SENT', 'FAILED', 'CANCELLED')),
  due_at        timestamptz  not null,
  attempts      int          not null default 0,
  sent_at       timestamptz,
  -- An approver whose address changes is emailed again.
  primary key (workspace_id, request_id, since, level, kind, member_id, address)
);
create index approval_mails_due on approval_mails (workspace_id, due_at) where state in ('QUEUED', 'DEFERRED');
create index approval_mails_mail on approval_mails (workspace_id, mail_id);
