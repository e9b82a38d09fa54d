import { type Role, scopesOfRole } from '../../company/access/roles.ts';
import { shownName } from '../../company/directory/names.ts';
import { isHere, survivorOf } from '../../company/directory/who.ts';
import { readToday } from '../../company/workspaces/days.ts';
import type { AskedPerson } from '../../ground/contract/approval.ts';
import type { Approver, RuleLevel } from '../../ground/contract/rule.ts';
import type { Queryable } from '../../ground/database/database.ts';

/** The people of a workspace who can sign in and decide, as they are now. */
export interface Deciders {
  people: ReadonlyMap<number, Decider>;
  /** Records that were merged into one of these people. */
  merged: ReadonlyMap<number, number>;
  /** By the member for whom they decide. */
  deputies: ReadonlyMap<number, { deputyId: number; isAway: boolean }>;
  /** By the user who acts as them. */
  byUser: ReadonlyMap<number, number>;
}

interface Decider extends AskedPerson {
  roles: readonly Role[];
  userIds: readonly number[];
}

/** What decides who is asked about an order. */
export interface Question {
  levels: readonly RuleLevel[];
  level: number;
  /** The sender's manager; null: none. */
  managerId: number | null;
  /** Those of these people who sent, requested or retried it, or receive a gift of it. */
  parties: readonly number[];
  /** Who has approved at an earlier level: another person decides at the next one. */
  approvedBy: readonly number[];
}

interface Asked {
  asked: AskedPerson[];
  /** Whether owners are asked because no approver remains. */
  ownersAsked: boolean;
}

/**
 * Who may decide about an order now. Each read finds out again, so people who leave, return, merge or are away count at once. No person
 * decides for a party as their deputy.
 */
export function whoIsAsked(deciders: Deciders, question: Question): Asked {
  const { people, deputies } = deciders;
  const { levels, level, managerId, parties, approvedBy } = question;
  const excluded = new Set([...parties, ...approvedBy].map((id) => deciderOf(deciders, id)));
  const remaining = (ids: readonly number[]) =>
    [...new Set(ids)].flatMap((id) => (excluded.has(id) ? [] : (people.get(id) ?? [])));
  const withDeputies = (id: number) => {
    const deputy = deputies.get(id);
    return deputy && (deputy.isAway || !people.has(id)) ? [id, deputy.deputyId] : [id];
  };
  const named = (levels[level - 1]?.approvers ?? []).flatMap((one) => idsOf(deciders, one, managerId));
  const approvers = remaining(named.filter((id) => !excluded.has(id)).flatMap(withDeputies));
  if (approvers.length > 0) return { asked: approvers.map(shown), ownersAsked: false };
  const owners = [...people.values()].filter(({ roles }) => roles.includes('OWNER')).map(({ id }) => id);
  return { asked: remaining(owners).map(shown), ownersAsked: true };
}

/** Whether a person can be asked about an order at this level, before it is known who sent it and who receives its gifts. */
export function canBeAsked(
  deciders: Deciders,
  { levels, level }: Pick<Question, 'levels' | 'level'>,
  self: number,
): boolean {
  const person = deciders.people.get(self);
  if (!person || person.roles.includes('OWNER')) return person !== undefined;
  const decidesFor = (id: number) => id === self || deciders.deputies.get(id)?.deputyId === self;
  return (levels[level - 1]?.approvers ?? []).some(
    (one) => one.is === 'MANAGER' || idsOf(deciders, one, null).some(decidesFor),
  );
}

/** The person whose record this is. */
export function deciderOf({ merged }: Deciders, id: number): number {
  return merged.get(id) ?? id;
}

function idsOf(deciders: Deciders, { is, memberId, role }: Approver, managerId: number | null): number[] {
  if (is === 'MANAGER') return managerId === null ? [] : [managerId];
  if (is === 'MEMBER') return memberId === undefined ? [] : [deciderOf(deciders, memberId)];
  return [...deciders.people.values()].filter(({ roles }) => role && roles.includes(role)).map(({ id }) => id);
}

function shown({ id, name }: Decider): AskedPerson {
  return { id, name };
}

/** The roles that may decide. */
export const decidingRoles = (Object.keys(scopesOfRole) as Role[]).filter((role) =>
  scopesOfRole[role].includes('approvals:decide'),
);

export async function readDeciders(on: Queryable, workspaceId: number): Promise<Deciders> {
  const people = await on.query<Decider>(decidersSql, [workspaceId, decidingRoles]);
  const merged = await on.query<{ id: number; into: number }>(
    'select id, merged_into as into from members where workspace_id = $1 and merged_into = any($2::bigint[])',
    [workspaceId, people.map(({ id }) => id)],
  );
  const deputies = await on.query<{ memberId: number; deputyId: number; isAway: boolean }>(deputiesSql, [
    workspaceId,
    await readToday(on, workspaceId),
  ]);
  return {
    people: new Map(people.map((one) => [one.id, one])),
    merged: new Map(merged.map(({ id, into }) => [id, into])),
    deputies: new Map(deputies.map(({ memberId, ...one }) => [memberId, one])),
    byUser: new Map(people.flatMap(({ id, userIds }) => userIds.map((userId) => [userId, id] as const))),
  };
}

const decidersSql = `
  select m.id,
         coalesce(nullif(${shownName('m')}, ''), min(u.name)) as name,
         array_agg(distinct r.role) as roles,
         array_agg(r.user_id)::float8[] as "userIds"
    from user_roles r
    join users u         on u.id = r.user_id
    join members acts_as on acts_as.workspace_id = r.workspace_id and acts_as.id = r.member_id
    join members m       on m.workspace_id = r.workspace_id and m.id = ${survivorOf('acts_as')}
   where r.workspace_id = $1
     and r.role = any($2::text[])
     and ${isHere('m')}
   group by m.workspace_id, m.id
   order by name, m.id`;

const deputiesSql = `
  select ${survivorOf('away')} as "memberId", ${survivorOf('deputy')} as "deputyId", $2::date between d.from_day and d.to_day as "isAway"
    from deputies d
    join members away   on away.workspace_id = d.workspace_id and away.id = d.member_id
    join members deputy on deputy.workspace_id = d.workspace_id and deputy.id = d.deputy_id
   where d.workspace_id = $1`;
