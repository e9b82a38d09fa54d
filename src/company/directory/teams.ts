import { type Queryable, queryOne } from '../../ground/database/database.ts';
import { plainText } from '../../ground/values/text.ts';
import { noteFieldChanged } from './events.ts';
import { keepNewTeams, keepPeople } from './kept-people.ts';
import { isPerson } from './who.ts';

/** Finds teams by name, and adds those that are missing. Names that look the same, or differ only in case, are one team. */
export async function findOrAddTeams(
  tx: Queryable,
  workspaceId: number,
  asked: readonly string[],
): Promise<Map<string, number>> {
  const plain = new Map(asked.map((name) => [name, plainText(name)]));
  const ids = await findOrAddPlain(tx, workspaceId, [...new Set(plain.values())]);
  return new Map(asked.map((name) => [name, ids.get(plain.get(name) as string) as number]));
}

async function findOrAddPlain(
  tx: Queryable,
  workspaceId: number,
  names: readonly string[],
): Promise<Map<string, number>> {
  const known = await findTeams(tx, workspaceId, names);
  const missing = names.filter((name) => !known.has(name));
  if (missing.length === 0) return known;
  const added = await tx.query<{ id: number }>(
    `insert into teams (workspace_id, name)
     select distinct on (lower(name)) $1::bigint, name
       from unnest($2::text[]) with ordinality as asked (name, nth)
      where not exists (select from teams t where t.workspace_id = $1 and lower(t.name) = lower(asked.name))
      order by lower(name), nth
     on conflict do nothing
     returning id`,
    [workspaceId, missing],
  );
  keepNewTeams(
    tx,
    workspaceId,
    added.map(({ id }) => id),
  );
  return new Map([...known, ...(await findTeams(tx, workspaceId, missing))]);
}

async function findTeams(tx: Queryable, workspaceId: number, names: readonly string[]): Promise<Map<string, number>> {
  const rows = await tx.query<{ id: number; name: string }>(
    `select distinct on (asked.name) t.id, asked.name
       from unnest($2::text[]) as asked (name)
       join teams t on t.workspace_id = $1 and lower(t.name) = lower(asked.name)
      order by asked.name, t.name = asked.name desc, t.id`,
    [workspaceId, names],
  );
  return new Map(rows.map(({ id, name }) => [name, id]));
}

export interface TeamFields {
  name: string;
  externalId: string | null;
}

/** Adds a team and returns its id. The caller holds the workspace's lock and has checked the name. */
export async function addTeam(tx: Queryable, workspaceId: number, { name, externalId }: TeamFields): Promise<number> {
  const { id } = await queryOne<{ id: number }>(
    tx,
    'insert into teams (workspace_id, name, external_id) values ($1, $2, $3) returning id',
    [workspaceId, name, externalId],
  );
  return id;
}

export async function updateTeam(
  tx: Queryable,
  workspaceId: number,
  id: number,
  { name, externalId }: TeamFields,
): Promise<void> {
  await tx.query(
    'update teams set name = $3, external_id = $4, changed_at = now() where workspace_id = $1 and id = $2',
    [workspaceId, id, name, externalId],
  );
}

/** Deletes a team without members. */
export async function deleteTeam(tx: Queryable, workspaceId: number, id: number): Promise<void> {
  await tx.query('delete from teams where workspace_id = $1 and id = $2', [workspaceId, id]);
}

/** Deletes those of these teams that have no members. */
export async function deleteEmptyTeams(tx: Queryable, workspaceId: number, ids: readonly number[]): Promise<void> {
  await tx.query(
    `delete from teams t
      where t.workspace_id = $1
        and t.id = any($2::bigint[])
        and not exists (select from team_members m where m.workspace_id = $1 and m.team_id = t.id)`,
    [workspaceId, ids],
  );
}

/** Gives the default team another name, so that a team can have its name. */
export async function renameDefaultTeam(tx: Queryable, workspaceId: number, id: number): Promise<void> {
  await tx.query(renameDefaultSql, [workspaceId, id]);
}

// The first name that no team has: "Everyone (1)", "Everyone (1) (2)" and so on.
const renameDefaultSql = `
  update teams t
     set name = (select candidate.name
                   from generate_series(1, (select count(*) + 1 from teams where workspace_id = $1)) as nth
                  cross join lateral (select t.name || ' (' || t.id || ')' || case when nth > 1 then ' (' || nth || ')' else '' end)
                             as candidate (name)
                  where not exists (select from teams o where o.workspace_id = $1 and lower(o.name) = lower(candidate.name))
                  order by nth
                  limit 1)
   where t.workspace_id = $1
     and t.id = $2`;

export interface Membership {
  memberId: number;
  teamId: number;
}

/**
 * Adds people to teams, and returns how many were not in theirs. A member's team is the one joined last. Members without a team belong
 * to the default team.
 */
export async function joinTeams(tx: Queryable, workspaceId: number, joining: readonly Membership[]): Promise<number> {
  const joined = await tx.query(
    `insert into team_members (workspace_id, team_id, member_id)
     select $1, team_id, member_id
       from unnest($2::bigint[], $3::bigint[]) as joining (team_id, member_id)
      where team_id <> (select default_team_id from workspaces where id = $1)
     on conflict do nothing
     returning member_id`,
    [workspaceId, joining.map(({ teamId }) => teamId), joining.map(({ memberId }) => memberId)],
  );
  await settleTeams(
    tx,
    workspaceId,
    joining.map(({ memberId }) => memberId),
  );
  return joined.length;
}

/** Takes people out of teams, and returns how many were in theirs. */
export async function leaveTeams(tx: Queryable, workspaceId: number, leaving: readonly Membership[]): Promise<number> {
  const left = await tx.query(
    `delete from team_members t
      using unnest($2::bigint[], $3::bigint[]) as leaving (team_id, member_id)
      where t.workspace_id = $1 and t.team_id = leaving.team_id and t.member_id = leaving.member_id
      returning t.member_id`,
    [workspaceId, leaving.map(({ teamId }) => teamId), leaving.map(({ memberId }) => memberId)],
  );
  await settleTeams(
    tx,
    workspaceId,
    leaving.map(({ memberId }) => memberId),
  );
  return left.length;
}

/** Moves each member from their current team to another. Returns how many were moved. */
export async function replaceTeams(tx: Queryable, workspaceId: number, wanted: readonly Membership[]): Promise<number> {
  const moving = await tx.query<{ memberId: number; teamId: number; oldTeamId: number }>(
    `select m.id as "memberId", wanted.team_id as "teamId", m.team_id as "oldTeamId"
       from unnest($2::bigint[], $3::bigint[]) as wanted (member_id, team_id)
       join members m on m.workspace_id = $1 and m.id = wanted.member_id
      where m.team_id <> wanted.team_id`,
    [workspaceId, wanted.map(({ memberId }) => memberId), wanted.map(({ teamId }) => teamId)],
  );
  if (moving.length === 0) return 0;
  await keepPeople(
    tx,
    workspaceId,
    moving.map(({ memberId }) => memberId),
  );
  await tx.query(
    `delete from team_members t
      using unnest($2::bigint[], $3::bigint[], $4::bigint[]) as moving (member_id, team_id, old_team_id),
            workspaces w
      where t.workspace_id = $1
        and w.id = $1
        and t.member_id = moving.member_id
        and (t.team_id in (moving.team_id, moving.old_team_id) or moving.team_id = w.default_team_id)`,
    [
      workspaceId,
      moving.map(({ memberId }) => memberId),
      moving.map(({ teamId }) => teamId),
      moving.map(({ oldTeamId }) => oldTeamId),
    ],
  );
  await joinTeams(tx, workspaceId, moving);
  return moving.length;
}

/** A member's team is the one they joined last, and the workspace's default where they are in none. */
export async function settleTeams(tx: Queryable, workspaceId: number, memberIds: readonly number[]): Promise<void> {
  const moved = await tx.query<{ id: number; isPerson: boolean }>(
    `update members m
        set team_id = ${settledTeam}, changed_at = now()
      where m.workspace_id = $1
        and m.id = any($2::bigint[])
        and m.team_id <> ${settledTeam}
     returning m.id, ${isPerson('m')} as "isPerson"`,
    [workspaceId, memberIds],
  );
  noteFieldChanged(
    tx,
    workspaceId,
    moved.filter((one) => one.isPerson),
  );
}

const settledTeam = `
  coalesce((select t.team_id
              from team_members t
             where t.workspace_id = $1 and t.member_id = m.id
             order by t.joined desc
             limit 1),
           (select default_team_id from workspaces where id = $1))`;
