-- resumable
-- An approver whose address changes is emailed again: an order has one email for each address of a person.
--
-- What is locked, and for how long: approval_mails, while its key is built. Release 0.7.0 does not have the table, so it is
-- empty in an upgrade.
alter table approval_mails
  drop constraint if exists approval_mails_pkey,
  add constraint approval_mails_pkey primary key (workspace_id, request_id, since, level, kind, member_id, address);
