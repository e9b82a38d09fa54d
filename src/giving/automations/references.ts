import { listCustomFields } from '../../company/directory/custom-fields.ts';
import { memberById } from '../../company/directory/who.ts';
import type { AutomationTerms } from '../../ground/contract/automation.ts';
import { type Queryable, queryOne } from '../../ground/database/database.ts';
import { type Fault, invalid } from '../../ground/errors.ts';
import { notOffered, offeredReasons } from '../recognition/reasons.ts';
import { commonPlaceholders } from './placeholders.ts';
import { faultsInTerms } from './terms.ts';

/** Rejects terms that cannot be right: fields that do not belong together, and people, teams, budgets and fields that do not exist. */
export async function checkTerms(on: Queryable, workspaceId: number, terms: AutomationTerms): Promise<void> {
  const keys = await customKeys(on, workspaceId);
  const faults = [
    ...faultsInTerms(terms, [...commonPlaceholders, ...keys]),
    ...(await unknownPeopleAndTeams(on, workspaceId, terms)),
    ...unknownFields(terms, keys),
    ...(await unfitBudget(on, workspaceId, terms)),
    ...(await unknownReason(on, workspaceId, terms)),
  ];
  if (faults.length > 0) throw invalid(faults);
}

/** The keys of the workspace's custom fields. */
async function customKeys(on: Queryable, workspaceId: number): Promise<string[]> {
  return (await listCustomFields(on, workspaceId)).map(({ key }) => key);
}

/** The parts of an audience, with their paths. */
function partsOf({ audience }: AutomationTerms) {
  return (['include', 'exclude'] as const).flatMap((side) =>
    audience[side].map((part, nth) => ({ ...part, path: `audience.${side}[${nth}]` })),
  );
}

/** A merged record stands for its survivor, so that an automation that names it can still be changed. */
async function unknownPeopleAndTeams(on: Queryable, workspaceId: number, terms: AutomationTerms): Promise<Fault[]> {
  const parts = partsOf(terms);
  const people = [
    ...parts.map(({ path, memberId }) => ({ path: `${path}.memberId`, id: memberId })),
    { path: 'from.memberId', id: terms.from.memberId },
  ].filter(({ id }) => id !== undefined);
  const teams = parts.flatMap(({ path, teamId: id }) => (id === undefined ? [] : [{ path: `${path}.teamId`, id }]));
  if (people.length + teams.length === 0) return [];
  const known = await queryOne<{ people: number[]; teams: number[] }>(
    on,
    `select array(select asked.id from unnest($2::bigint[]) as asked (id) where ${memberById('$1', 'asked.id')} is not null) as people,
            array(select t.id from teams t where t.workspace_id = $1 and t.id = any($3::bigint[])) as teams`,
    [workspaceId, people.map(({ id }) => id), teams.map(({ id }) => id)],
  );
  const unknown = (named: typeof people, ids: readonly number[], problem: string) =>
    named.flatMap(({ path, id }) => (ids.includes(id as number) ? [] : [{ path, problem }]));
  return [
    ...unknown(people, known.people, 'must be the id of a person of this workspace'),
    ...unknown(teams, known.teams, 'must be the id of a team of this workspace'),
  ];
}

function unknownFields(terms: AutomationTerms, keys: readonly string[]): Fault[] {
  return partsOf(terms).flatMap(({ path, custom = {} }) =>
    Object.keys(custom).flatMap((key) =>
      keys.includes(key) ? [] : [{ path: `${path}.custom.${key}`, problem: 'is no custom field of this workspace' }],
    ),
  );
}

async function unfitBudget(on: Queryable, workspaceId: number, terms: AutomationTerms): Promise<Fault[]> {
  const { budgetId, action } = terms;
  if (budgetId === null) return [];
  const [budget] = await on.query<{ currency: string; isOpen: boolean }>(
    `select currency, closed_at is null and kind <> 'UNLIMITED' as "isOpen" from budgets where workspace_id = $1 and id = $2`,
    [workspaceId, budgetId],
  );
  const fault = (problem: string) => [{ path: 'budgetId', problem }];
  if (!budget?.isOpen) return fault('must be the id of an open budget of this workspace');
  if (action.currency === undefined || budget.currency === action.currency) return [];
  return fault(`is a budget in ${budget.currency}, but the gift is in ${action.currency}`);
}

async function unknownReason(on: Queryable, workspaceId: number, { action }: AutomationTerms): Promise<Fault[]> {
  const { reasonId } = action;
  if (reasonId === undefined || reasonId === null) return [];
  const offered = await offeredReasons(on, workspaceId, [reasonId]);
  return offered.has(reasonId) ? [] : [{ path: 'action.reasonId', problem: notOffered }];
}
