-- Owners who do not manage each other's workspaces may add a user with the same address: each of them adds an account.

-- What is locked, and for how long: users, for a moment. It has a row for each person who signs in.
alter table users drop constraint users_email_key;
create index users_email on users (email);
