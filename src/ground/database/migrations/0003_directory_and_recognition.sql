-- The directory: who a member is to other systems, whether they are still here, whom they turned out to be.

create extension if not exists pg_trgm;

alter table members
  add column user_name              text,
  add column external_id            text,
  -- Null while the person is here.
  add column left_at                timestamptz,
  -- Set by SCIM's DELETE: the person stays in the history, and is no resource any more until they return.
  add column deprovisioned_at       timestamptz,
  -- This record turned out to be that member. It stays as another address of theirs, and is listed nowhere.
  add column merged_into            bigint,
  add column changed_at             timestamptz not null default now(),
  -- The activity behind the last recognition: what is approved later may have been given earlier.
  add column last_recognized_number bigint,
  add foreign key (workspace_id, merged_into) references members;

update members m
   set last_recognized_number = a.number
  from (select workspace_id, receiver_id, max(number) as number
          from activities
         where status = 'APPROVED'
         group by workspace_id, receiver_id) a
 where m.workspace_id = a.workspace_id
   and m.id = a.receiver_id
   and m.recognition_count > 0;

alter table members
  add check ((last_recognized_number is null) = (recognition_count = 0)),
  add check (merged_into is null or (recognition_count = 0 and manager_id is null and department is null
                                     and cost_centre is null and location is null and currency is null));

create unique index members_user_name on members (workspace_id, lower(user_name)) where user_name is not null;
create index members_external_id on members (workspace_id, external_id) where external_id is not null;
create index members_merged on members (workspace_id, merged_into) where merged_into is not null;
-- Small, because orders ask them about every recipient.
create index members_left_email on members (workspace_id, email_key) where left_at is not null;
create index members_left_employee_number on members (workspace_id, employee_number) where left_at is not null;

create index members_people on members (workspace_id, id) include (left_at, last_recognized_on, deprovisioned_at)
  where not is_integration and merged_into is null;
drop index members_never_recognized;
create index members_never_recognized on members (workspace_id, id)
  where last_recognized_on is null and left_at is null and not is_integration and merged_into is null;
alter index members_last_recognized rename to members_last_recognized_all;
create index members_last_recognized on members (workspace_id, last_recognized_on desc, id)
  where last_recognized_on is not null and left_at is null;

-- As before, and leavers are told apart in the index alone.
drop index members_department, members_cost_centre, members_location, members_currency, members_manager;
create index members_department on members (workspace_id, lower(department), last_recognized_on desc, id)
  include (department, left_at);
create index members_cost_centre on members (workspace_id, lower(cost_centre), last_recognized_on desc, id)
  include (cost_centre, left_at);
create index members_location on members (workspace_id, lower(location), last_recognized_on desc, id)
  include (location, left_at);
create index members_currency on members (workspace_id, lower(currency), last_recognized_on desc, id)
  include (currency, left_at);
create index members_manager on members (workspace_id, manager_id, last_recognized_on desc, id)
  include (left_at);

-- What a search looks through. Apart from members, whose rows move with every recognition.
create table member_texts (
  workspace_id bigint not null,
  member_id    bigint not null,
  text         text not null,
  primary key (workspace_id, member_id)
);
create index member_texts_text on member_texts using gin (text gin_trgm_ops);

-- Members are those who are here, leavers those who have left. The day of those who were never recognized is -infinity.
alter table recognition_days add column leavers bigint not null default 0;

create function is_person(m members) returns boolean language sql immutable
  return not m.is_integration and m.merged_into is null;

create function member_text(m members) returns text language sql immutable
  return lower(m.first_name || ' ' || m.last_name || ' ' || coalesce(m.email, '') || ' ' || coalesce(m.employee_number, ''));

insert into recognition_days (workspace_id, day, members)
select workspace_id, '-infinity', count(*)
  from members
 where last_recognized_on is null
   and not is_integration
 group by workspace_id;

insert into member_texts (workspace_id, member_id, text)
select m.workspace_id, m.id, member_text(m) from members m where is_person(m);

-- Whoever writes members, the counts by day and what a search finds stay true. A writer holds its workspace's lock
-- (activity_counters), so that these rows are never waited for in opposite orders.
create function follow_added_members() returns trigger language plpgsql as $$
begin
  insert into recognition_days as d (workspace_id, day, members, leavers)
  select m.workspace_id, coalesce(m.last_recognized_on, '-infinity'),
         count(*) filter (where m.left_at is null), count(*) filter (where m.left_at is not null)
    from added m
   where is_person(m)
   group by 1, 2
   order by 1, 2
  on conflict (workspace_id, day)
  do update set members = d.members + excluded.members, leavers = d.leavers + excluded.leavers;

  insert into member_texts (workspace_id, member_id, text)
  select m.workspace_id, m.id, member_text(m) from added m where is_person(m);
  return null;
end
$$;

create function follow_changed_members() returns trigger language plpgsql as $$
begin
  insert into recognition_days as d (workspace_id, day, members, leavers)
  select workspace_id, day, sum(members), sum(leavers)
    from (select m.workspace_id, coalesce(m.last_recognized_on, '-infinity') as day,
                 (m.left_at is null)::int as members, (m.left_at is not null)::int as leavers
            from after m
           where is_person(m)
           union all
          select m.workspace_id, coalesce(m.last_recognized_on, '-infinity'),
                 -(m.left_at is null)::int, -(m.left_at is not null)::int
            from before m
           where is_person(m)) moves
   group by workspace_id, day
  having sum(members) <> 0 or sum(leavers) <> 0
   order by workspace_id, day
  on conflict (workspace_id, day)
  do update set members = d.members + excluded.members, leavers = d.leavers + excluded.leavers;
  return null;
end
$$;

create function follow_renamed_member() returns trigger language plpgsql as $$
begin
  update member_texts
     set text = case when is_person(new) then member_text(new) else '' end
   where workspace_id = new.workspace_id
     and member_id = new.id;
  return null;
end
$$;

create trigger follow_added_members after insert on members
  referencing new table as added
  for each statement execute function follow_added_members();
create trigger follow_changed_members after update on members
  referencing old table as before new table as after
  for each statement execute function follow_changed_members();
-- Recognition does not come here: it sets none of these columns.
create trigger follow_renamed_member after update of first_name, last_name, email, employee_number, merged_into on members
  for each row
  when ((old.first_name, old.last_name, old.email, old.employee_number, old.merged_into)
        is distinct from (new.first_name, new.last_name, new.email, new.employee_number, new.merged_into))
  execute function follow_renamed_member();

-- Teams are SCIM's groups. A person may be in several; the one joined last is their team.
alter table teams
  add column external_id text,
  add column created_at  timestamptz not null default now(),
  add column changed_at  timestamptz not null default now();

create table team_members (
  workspace_id bigint not null,
  team_id      bigint not null references teams,
  member_id    bigint not null,
  joined       bigint generated always as identity,
  primary key (workspace_id, team_id, member_id),
  foreign key (workspace_id, member_id) references members
);
create index team_members_member on team_members (workspace_id, member_id, joined);

insert into team_members (workspace_id, team_id, member_id)
select m.workspace_id, m.team_id, m.id
  from members m
  join workspaces w on w.id = m.workspace_id and w.default_team_id <> m.team_id
 order by m.id;

-- Recognition.

alter table workspaces
  add column shoutouts_need_approval boolean not null default false,
  add column accept_leavers          boolean not null default false;

-- A retired reason stays in the history and is offered no more.
alter table reasons add column retired_at timestamptz;

-- What was given for the default reason keeps it when another becomes the default.
update activities a
   set reason_id = w.default_reason_id
  from workspaces w
 where w.id = a.workspace_id
   and a.reason_id is null;

-- A shoutout's status is all that ever changes here.
alter table activities
  drop constraint activities_status_check,
  add constraint activities_status_check
    check (status = 'APPROVED' or (status in ('PENDING', 'DECLINED') and type = 'SHOUTOUT'));
create index activities_shoutouts on activities (workspace_id, status, number) where type = 'SHOUTOUT';

-- What stands behind a shoutout that was given through the interface.
create table shoutouts (
  workspace_id    bigint not null,
  number          bigint not null,
  token_id        bigint not null,
  idempotency_key text,
  body            jsonb not null,
  decided_by      bigint,
  decided_at      timestamptz,
  primary key (workspace_id, number)
);
create unique index shoutouts_idempotency on shoutouts (workspace_id, idempotency_key)
  where idempotency_key is not null;

-- A declined shoutout keeps its number and leaves the report. Such gaps are counted by blocks of numbers, small ones and
-- large ones, so that any page is still found without passing over those before it.
alter table activity_counters add column declined bigint not null default 0;
create table activity_gaps (
  workspace_id bigint not null,
  -- How many numbers a block has: 1,000 or 1,000,000.
  size         int not null,
  block        bigint not null,
  gaps         int not null,
  primary key (workspace_id, size, block)
);

-- Where the report goes on after so many of a workspace's activities: at the number `newest`, passing over `skipped` more,
-- which are less than a small block has. Of the blocks with gaps, the oldest that begins above that place is looked into;
-- below it there are no more gaps to mind.
create function find_activities(in workspace bigint, in after bigint,
                                out total bigint, out newest bigint, out skipped bigint)
language plpgsql stable as $$
declare
  block_size int;
  lowest     bigint := 0;
  found_in   record;
begin
  select c.total - c.declined, c.total into total, newest from activity_counters c where c.workspace_id = workspace;
  skipped := after;
  foreach block_size in array array[1000000, 1000] loop
    select b.bottom, b.top, b.top - b.bottom - b.gaps as living, skipped - (newest - b.top - b.newer_gaps) as further
      into found_in
      from (select g.block * block_size as bottom, least((g.block + 1) * block_size, newest) as top, g.gaps,
                   sum(g.gaps) over (order by g.block desc) - g.gaps as newer_gaps
              from activity_gaps g
             where g.workspace_id = workspace
               and g.size = block_size
               and g.block between lowest / block_size and (newest - 1) / block_size) b
     where newest - b.top - b.newer_gaps <= skipped
     order by b.bottom
     limit 1;
    if found_in is null then
      newest := newest - skipped;
      skipped := 0;
      return;
    elsif found_in.further >= found_in.living then
      newest := found_in.bottom - (found_in.further - found_in.living);
      skipped := 0;
      return;
    end if;
    newest := found_in.top;
    skipped := found_in.further;
    lowest := found_in.bottom;
  end loop;
end
$$;
