-- resumable
-- What `ledger verify` needs to compare the shares of people with their orders.
--
-- What is locked, and for how long: the constraint changes the catalogue alone, and is checked beside writes. The index is built beside writes.

alter table order_budgets
  drop constraint if exists order_budgets_share,
  add constraint order_budgets_share check ((share_member_id is null) = (share_month is null)) not valid;
alter table order_budgets validate constraint order_budgets_share;

create index concurrently if not exists order_budgets_shares
  on order_budgets (workspace_id, share_month, share_member_id) where share_member_id is not null;
