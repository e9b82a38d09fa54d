-- Mails that tell recipients what became of what they asked for. The constraint is not checked for the rows that are there: they
-- had a narrower one.
alter table mails
  drop constraint mails_kind_check,
  add constraint mails_kind_check check (kind in ('GIFT', 'REMINDER', 'THANKS', 'CODE', 'WISH')) not valid;
