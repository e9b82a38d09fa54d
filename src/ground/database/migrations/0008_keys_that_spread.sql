-- workspace_id leads every primary, unique and foreign key of a workspace's tables: the tables can then be spread over
-- several servers by workspace, and the database itself refuses a reference to another workspace's team or reason.
-- Ids of teams and reasons stay unique across workspaces, because they still come from one sequence each. The version
-- before can read and write this schema.

-- What is locked, and for how long: reads and writes of these tables wait from here to the commit, because dropping a
-- foreign key locks both of its tables against everything. Checking the new foreign keys reads members and team_members
-- once: measured on a busy machine with two cores, 0.4 to 0.8 s for 200,000 members with a team each. All other statements
-- change small tables or the catalogue. `not valid` and a later `validate` would shorten nothing, because the migrations of
-- a start are one transaction, and a transaction keeps the strongest lock that it has taken until its end.
--
-- Everybody who comes later queues behind a lock that is waited for, and an export may read members for minutes. So each
-- attempt gives up after a second, and lets the others go on before the next. Those who write members first lock a row of
-- activity_counters: that table comes first here too, so that they can finish what they have begun.
do $$
begin
  perform set_config('lock_timeout', '1s', true);
  loop
    begin
      lock table activity_counters in exclusive mode;
      lock table workspaces, teams, reasons, members, team_members, api_token_workspaces in access exclusive mode;
      exit;
    exception when lock_not_available or deadlock_detected then
      perform pg_sleep(1);
    end;
  end loop;
  perform set_config('lock_timeout', '0', true);
end
$$;

alter table workspaces
  drop constraint workspaces_default_team_id_fkey,
  drop constraint workspaces_default_reason_id_fkey;
alter table members drop constraint members_team_id_fkey;
alter table team_members drop constraint team_members_team_id_fkey;

alter table teams
  drop constraint teams_pkey,
  add primary key (workspace_id, id);
alter table reasons
  drop constraint reasons_pkey,
  add primary key (workspace_id, id);

alter table workspaces
  add foreign key (id, default_team_id) references teams,
  add foreign key (id, default_reason_id) references reasons;
alter table members add foreign key (workspace_id, team_id) references teams;
alter table team_members add foreign key (workspace_id, team_id) references teams;

-- Grants are read by token, so that keeps an index.
alter table api_token_workspaces
  drop constraint api_token_workspaces_pkey,
  add primary key (workspace_id, token_id);
create index api_token_workspaces_token on api_token_workspaces (token_id);
