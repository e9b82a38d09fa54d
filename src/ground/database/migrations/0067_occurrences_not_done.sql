-- resumable
-- What automations could not do is counted on Home: the index has those rows alone. Built without stopping writes.
create index concurrently if not exists occurrences_not_done on occurrences (workspace_id, due_at) where state = 'NOT_DONE';
