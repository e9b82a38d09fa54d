import { filterConditions, type MemberConditions } from '../../company/directory/filter.ts';
import type { Queryable } from '../../ground/database/database.ts';
import { plainText } from '../../ground/values/text.ts';

type Filters = Omit<MemberConditions, 'includeInactive'> & { team?: string };

/** The ids of the members that filters choose; null without filters: all people. */
export async function readChosen(
  on: Queryable,
  workspaceId: number,
  { team, ...others }: Filters,
): Promise<number[] | null> {
  const values: unknown[] = [workspaceId];
  const conditions = await filterConditions(on, workspaceId, { ...others, includeInactive: true }, values);
  if (team !== undefined) conditions.push(teamCondition(`$${values.push(plainText(team))}`));
  if (conditions.length === 0) return null;
  const sql = `select m.id from members m where ${['m.workspace_id = $1', ...conditions].join(' and ')}`;
  return (await on.query<{ id: number }>(sql, values, 'once')).map(({ id }) => id);
}

const teamCondition = (name: string) =>
  `m.team_id in (select t.id from teams t where t.workspace_id = $1 and lower(t.name) = lower(${name}))`;
