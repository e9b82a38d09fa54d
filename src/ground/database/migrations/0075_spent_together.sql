-- What was spent of several gifts together.

-- What is locked, and for how long: a column without a default changes the catalogue alone.

-- The first of the redemptions that were spent together, itself too; null: spent alone.
alter table redemptions add column spending_id bigint;
