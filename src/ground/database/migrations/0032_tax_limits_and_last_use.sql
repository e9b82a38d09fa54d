-- How much a person may get in a year, by currency, as the workspace sets it. The tax log compares with it.
-- When a token was last used, written at most every ten minutes.

-- What is locked, and for how long: both change the catalogue alone.
alter table workspaces add column tax_limits jsonb not null default '[]';
alter table api_tokens add column last_used_at timestamptz;
