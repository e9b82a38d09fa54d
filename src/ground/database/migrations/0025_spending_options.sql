-- Ways to spend are called spending options, wishes requests, and allotments allowances. No release has had the former names, so no older
-- node reads these tables. The type ALLOTTED of ledger entries stays: their hashes are made of it.

-- What is locked, and for how long: renaming changes the catalogue alone.
alter table ways rename to spending_options;
alter table spending_options rename constraint ways_pkey to spending_options_pkey;
alter table spending_options rename constraint ways_workspace_id_fkey to spending_options_workspace_id_fkey;
alter table spending_options rename constraint ways_kind_check to spending_options_kind_check;
alter table spending_options rename constraint ways_min_amount_check to spending_options_min_amount_check;
alter table spending_options rename constraint ways_max_amount_check to spending_options_max_amount_check;
alter table spending_options rename constraint ways_tax_type_check to spending_options_tax_type_check;

alter table redemptions rename column way to spending_option;
alter table redemptions rename column way_name to spending_option_name;

alter table budgets rename column allotment to allowance;
alter table budgets rename column allotment_every to allowance_every;
alter table budgets rename column next_allotment_at to next_allowance_at;
alter table budgets rename constraint budgets_allotment_check to budgets_allowance_check;
alter table budgets rename constraint budgets_allotment_every_check to budgets_allowance_every_check;
alter index budgets_allotments rename to budgets_allowances;

-- The emails about requests. The constraint is not checked for the rows that are there: they had the same one with the former name.
alter table mails drop constraint mails_kind_check;
update mails set kind = 'DECISION' where kind = 'WISH' and exists (select from redemptions);
alter table mails
  add constraint mails_kind_check check (kind in ('GIFT', 'REMINDER', 'THANKS', 'CODE', 'DECISION')) not valid;

-- What was stored with the former names. A database of a release has no redemptions: then no table is read.
update redemptions
   set detail = detail - 'wish' || jsonb_build_object('requestText', detail -> 'wish')
 where detail ? 'wish';
update redemptions
   set body = body - '{way,wish}'::text[] || jsonb_strip_nulls(jsonb_build_object('spendingOption', body -> 'way', 'requestText', body -> 'wish'))
 where body ?| '{way,wish}';
update gift_log
   set detail = detail - 'way' || jsonb_build_object('spendingOption', detail -> 'way')
 where exists (select from redemptions)
   and type in ('REDEEMED', 'REVERSED')
   and detail ? 'way';
update events
   set data = (data::jsonb - 'way' || jsonb_build_object('spendingOption', data -> 'way'))::json
 where exists (select from redemptions)
   and type in ('gift.redeemed', 'gift.redemption_reversed', 'redemption.requested', 'redemption.fulfilled', 'redemption.declined')
   and data::jsonb ? 'way';
update audit_log set action = 'spending_option.set' where action = 'way.set';
