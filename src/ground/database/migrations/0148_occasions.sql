-- resumable
-- A gift of an automation greets its recipient as the day does: on a birthday, an anniversary, a first day or another day. Null: it says thank you.
--
-- What is locked, and for how long: the column changes the catalogue alone.

alter table order_requests add column if not exists occasion text;
