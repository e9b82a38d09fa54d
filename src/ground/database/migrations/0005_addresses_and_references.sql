-- E-mail addresses and logins that members had before. They lead to their member until somebody else has them.
create table former_addresses (
  workspace_id bigint not null,
  email_key    text not null,
  member_id    bigint not null,
  primary key (workspace_id, email_key),
  foreign key (workspace_id, member_id) references members
);
create index former_addresses_member on former_addresses (workspace_id, member_id);

alter table members
  -- The names as SCIM sent them. Null where they are made of the first and the last name.
  add column display_name      text,
  add column formatted_name    text,
  -- What SCIM named as the manager while no such person is known: an id, a login, an e-mail address or a number.
  add column manager_reference text;
create index members_manager_reference on members (workspace_id, lower(manager_reference))
  where manager_reference is not null;

-- Groups that differ in case only are one.
create index teams_name_folded on teams (workspace_id, lower(name));
