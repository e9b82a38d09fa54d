-- Gifts that come with shoutouts.
--
-- What is locked, and for how long: a new table, and columns with a constant value, which change the catalogue alone.

alter table workspaces
  -- Whether people add gifts to their shoutouts, from a budget of their own or from a shared one with a cap for each person.
  add column post_gifts      boolean not null default false,
  -- Whether the feed says that a gift came with a shoutout, if its sender wants that too.
  add column feed_post_gifts boolean not null default false;

-- The order of the gifts that come with a post. The post waits until the order has its outcome, and both happen or none.
create table post_gifts (
  workspace_id  bigint       not null,
  -- Of the post: that of its first shoutout.
  number        bigint       not null,
  request_id    uuid         not null,
  -- Whether its sender lets the feed say so.
  is_shown      boolean      not null,
  -- When the order had its outcome.
  settled_at    timestamptz,
  primary key (workspace_id, number)
);
create unique index post_gifts_orders on post_gifts (workspace_id, request_id);
create index post_gifts_open on post_gifts (workspace_id) where settled_at is null;
