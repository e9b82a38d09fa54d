-- The limit below which an order needs no look at its sender's month, so that the statement that stores an order can count it.

-- What is locked, and for how long: columns without a default, and a check that is not compared with the rows that are there, change the catalogue alone.

-- The lowest limit of the rules by this total; null: not known.
alter table sender_month_counts add column least_above numeric(20, 4);

-- The limit that the latest order had to stay within; null: it was judged by the rules.
alter table sender_months add column month_limit numeric(20, 4);
alter table sender_months add constraint sender_months_limit check (counted + earlier <= month_limit) not valid;
