-- resumable
-- Erasures that run or were done lately: workers look for them every few seconds.
create index concurrently if not exists erasures_running on erasures (workspace_id) where state = 'RUNNING';
create index concurrently if not exists erasures_done on erasures (done_at) where state = 'DONE';
