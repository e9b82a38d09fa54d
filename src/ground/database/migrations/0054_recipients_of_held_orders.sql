-- resumable
-- Whom the gifts of an order that waits for a decision are for, so that acceptance finds the few orders for one person among thousands that wait.
--
-- What is locked, and for how long: a column with a constant default changes the catalogue alone, and the index is built beside writes. No release before
-- has rows in this table.

-- A key is `a:` and an address, or `n:` and an employee number.
alter table held_orders add column if not exists recipient_keys text[] not null default '{}';

create index concurrently if not exists held_orders_recipients on held_orders using gin (recipient_keys);
