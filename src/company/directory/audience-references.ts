import type { Audience } from '../../ground/contract/audience.ts';
import { type Queryable, queryOne } from '../../ground/database/database.ts';
import { type Fault, invalid } from '../../ground/errors.ts';
import { listCustomFields } from './custom-fields.ts';
import { memberById } from './who.ts';

/** A person that something names by id, and where. */
interface NamedPerson {
  path: string;
  id: number | undefined;
}

/**
 * What an audience names that does not exist: people, teams, custom fields. `others` are people that are named beside it. A merged record stands for
 * its survivor, so that an audience that names it can still be changed.
 */
export async function audienceFaults(
  on: Queryable,
  workspaceId: number,
  audience: Audience,
  others: readonly NamedPerson[] = [],
): Promise<Fault[]> {
  const parts = (['include', 'exclude'] as const).flatMap((side) =>
    audience[side].map((part, nth) => ({ ...part, path: `audience.${side}[${nth}]` })),
  );
  const people = [...parts.map(({ path, memberId }) => ({ path: `${path}.memberId`, id: memberId })), ...others];
  const teams = parts.map(({ path, teamId }) => ({ path: `${path}.teamId`, id: teamId }));
  const keys = await customKeys(on, workspaceId);
  const unknownFields = parts.flatMap(({ path, custom = {} }) =>
    Object.keys(custom).flatMap((key) =>
      keys.includes(key) ? [] : [{ path: `${path}.custom.${key}`, problem: 'is no custom field of this workspace' }],
    ),
  );
  return [...(await unknownPeopleAndTeams(on, workspaceId, people, teams)), ...unknownFields];
}

/** Rejects an audience that names what does not exist. */
export async function checkAudience(on: Queryable, workspaceId: number, audience: Audience): Promise<void> {
  const faults = await audienceFaults(on, workspaceId, audience);
  if (faults.length > 0) throw invalid(faults);
}

/** The keys of the workspace's custom fields. */
export async function customKeys(on: Queryable, workspaceId: number): Promise<string[]> {
  return (await listCustomFields(on, workspaceId)).map(({ key }) => key);
}

async function unknownPeopleAndTeams(
  on: Queryable,
  workspaceId: number,
  people: readonly NamedPerson[],
  teams: readonly NamedPerson[],
): Promise<Fault[]> {
  const idsOf = (named: readonly NamedPerson[]) => named.flatMap(({ id }) => id ?? []);
  if (idsOf([...people, ...teams]).length === 0) return [];
  const known = await queryOne<{ people: number[]; teams: number[] }>(
    on,
    `select array(select asked.id::float8 from unnest($2::bigint[]) as asked (id) where ${memberById('$1', 'asked.id')} is not null) as people,
            array(select t.id::float8 from teams t where t.workspace_id = $1 and t.id = any($3::bigint[])) as teams`,
    [workspaceId, idsOf(people), idsOf(teams)],
  );
  const unknown = (named: readonly NamedPerson[], ids: readonly number[], problem: string) =>
    named.flatMap(({ path, id }) => (id === undefined || ids.includes(id) ? [] : [{ path, problem }]));
  return [
    ...unknown(people, known.people, 'must be the id of a person of this workspace'),
    ...unknown(teams, known.teams, 'must be the id of a team of this workspace'),
  ];
}
