-- resumable
-- Erasures that wait for a second person: the console counts them on Home.
create index concurrently erasures_to_confirm on erasures (workspace_id) where state = 'REQUESTED';
