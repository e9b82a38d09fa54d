-- One form of the names of teams. And what SCIM says about people, and was not kept: the country, and further email addresses.

-- Names of teams in the form of migration 0033: a workspace has few teams. If two teams look the same then, the people of the later one move to
-- the earlier one. A default team, and one that an identity provider knows by its own id, stays, with its id behind its name.
do $$
declare
  invisible constant text := '[\u00ad\u200b\u200e\u200f\u2060-\u2064\ufeff]|(?<=^|[\u0001-\u02ff])[\u200c\u200d]+|[\u200c\u200d]+(?=[\u0001-\u02ff]|$)';
  team record;
  same bigint;
begin
  if getdatabaseencoding() <> 'UTF8' then
    return;
  end if;
  for team in
    select t.workspace_id, t.id, t.name, t.external_id is not null or t.id = w.default_team_id as stays,
           coalesce(nullif(btrim(normalize(regexp_replace(t.name, invisible, '', 'g'), NFC)), ''), t.id::text) as plain
      from teams t
      join workspaces w on w.id = t.workspace_id
     where t.name ~ '[^ -~]'
     order by t.workspace_id, t.id
  loop
    continue when team.plain = team.name;
    select id into same from teams
     where workspace_id = team.workspace_id and lower(name) = lower(team.plain) and id <> team.id
     order by name <> team.plain, id
     limit 1;
    if same is null then
      update teams set name = team.plain where workspace_id = team.workspace_id and id = team.id;
    elsif team.stays then
      update teams set name = team.plain || ' (' || team.id || ')' where workspace_id = team.workspace_id and id = team.id;
    else
      delete from team_members t
       where t.workspace_id = team.workspace_id and t.team_id = team.id
         and exists (select from team_members o where o.workspace_id = t.workspace_id and o.team_id = same and o.member_id = t.member_id);
      update team_members set team_id = same where workspace_id = team.workspace_id and team_id = team.id;
      update members set team_id = same where workspace_id = team.workspace_id and team_id = team.id;
      delete from teams where workspace_id = team.workspace_id and id = team.id;
    end if;
  end loop;
end $$;

-- What is locked, and for how long: the column changes the catalogue alone, and the table is new. They come last, so that they lock members only at the end.
alter table members add column country text;

-- The email addresses of a person as SCIM lists them. They identify no person: members.email alone does.
create table member_emails (
  workspace_id bigint   not null,
  member_id    bigint   not null,
  nth          smallint not null,
  -- Null: the member's own address, of which only the type is kept here.
  value        text,
  type         text,
  -- Whether SCIM calls this one the primary address. If it calls none so, it is the member's own.
  is_primary   boolean  not null default false,
  primary key (workspace_id, member_id, nth),
  foreign key (workspace_id, member_id) references members
);
create index member_emails_value on member_emails (workspace_id, lower(value)) where value is not null;
