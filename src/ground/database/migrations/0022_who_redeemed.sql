-- Who redeemed a gift at a till, and who fulfilled, declined, reversed or voided a redemption: {"is", "id", "name"}, as the audit log
-- names callers. Both are null in older rows. Recipients redeem on the pages of their gifts: redeemed_by is null there.

-- What is locked, and for how long: the new columns change the catalogue alone, because they have no default.
alter table redemptions
  add column redeemed_by jsonb,
  add column finished_by jsonb;
