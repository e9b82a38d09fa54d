-- resumable
-- The fields of people that a workspace has defined.
create table if not exists custom_fields (
  workspace_id  bigint      not null references workspaces,
  -- Its name in the API, in files and in SCIM. It never changes.
  key           text        not null,
  label         text        not null,
  kind          text        not null check (kind in ('TEXT', 'NUMBER', 'DATE', 'CHOICE')),
  -- The values of a choice; of other kinds, empty.
  choices       text[]      not null default '{}',
  added_at      timestamptz not null,
  -- Since when workers remove its values; null: the field is in use.
  removed_at    timestamptz,
  primary key (workspace_id, key)
);

-- The values of a person by the key of the field; null without any. A new column without a default changes the catalogue alone.
alter table members add column if not exists custom jsonb;

-- For filters by custom fields. The workspace is part of each indexed value, because people of other workspaces have the same values, and all
-- texts are in lower case, because filters ignore case. Only people with values are in it.
create index concurrently if not exists members_custom on members
  using gin ((('{"' || workspace_id::text || '":' || lower(custom::text) || '}')::jsonb) jsonb_path_ops)
  where custom is not null;
