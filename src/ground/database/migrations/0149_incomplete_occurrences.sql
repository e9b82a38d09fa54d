-- resumable
-- What automations could not do, or did without the gift, is counted on Home and listed: the index has those rows alone.
--
-- What is locked, and for how long: the index is built beside writes.

create index concurrently if not exists occurrences_incomplete on occurrences (workspace_id, due_at desc, id desc)
  where state in ('NOT_DONE', 'MESSAGE_ONLY');
