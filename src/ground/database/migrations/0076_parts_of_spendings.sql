-- resumable
-- Finds what was spent together. The index is built beside writes, and no release before has rows in it.

create index concurrently if not exists redemptions_spending on redemptions (workspace_id, spending_id, id) where spending_id is not null;
