import { isPerson } from '../../company/directory/who.ts';
import type { Budget, BudgetChange, drawnKinds, NewBudget } from '../../ground/contract/budget.ts';
import { type Queryable, queryOptional } from '../../ground/database/database.ts';
import { Failure, invalid } from '../../ground/errors.ts';
import { unitFields, unitKind } from '../../ground/values/member.ts';
import { plainText } from '../../ground/values/text.ts';

/** Whose budget it is. One of the fields is set for each kind, and none for the workspace's. */
export interface BudgetHolder {
  kind: (typeof drawnKinds)[number];
  memberId: number | null;
  teamId: number | null;
  name: string | null;
}

const workspaceOwner: BudgetHolder = { kind: 'WORKSPACE', memberId: null, teamId: null, name: null };

const units = unitFields.toSorted();
const ownerFields = ['memberId', 'team', ...units] as const;

/** The owner that a new budget names. */
export async function findOwner(tx: Queryable, workspaceId: number, named: NewBudget): Promise<BudgetHolder> {
  const { memberId, team } = named;
  const paths = ownerFields.filter((name) => (named[name] ?? null) !== null);
  if (paths.length > 1)
    throw invalid(paths.map((path) => ({ path, problem: 'is one of several owners: a budget has one' })));
  if (memberId !== undefined) {
    await checkMember(tx, workspaceId, memberId);
    return { ...workspaceOwner, kind: 'MEMBER', memberId };
  }
  if (team !== undefined)
    return { ...workspaceOwner, kind: 'TEAM', teamId: await findTeam(tx, workspaceId, nameAt('team', team)) };
  const unit = units.find((name) => named[name] !== undefined);
  return unit ? { ...workspaceOwner, kind: unitKind(unit), name: nameAt(unit, named[unit] ?? '') } : workspaceOwner;
}

/** Renames a shared budget after its cost centre or department was renamed: people with the new name draw on it. */
export async function renameOwner(
  tx: Queryable,
  workspaceId: number,
  { id, kind, currency }: Budget,
  change: BudgetChange,
): Promise<void> {
  for (const path of units) {
    const [value, of] = [change[path], unitKind(path)];
    if (value === undefined) continue;
    if (kind !== of)
      throw invalid([{ path, problem: 'cannot be changed: this budget belongs to another kind of owner' }]);
    const owner: BudgetHolder = { ...workspaceOwner, kind: of, name: nameAt(path, value) };
    const other = await findBudget(tx, workspaceId, owner, currency);
    if (other && other.id !== id) throw alreadySet(currency, other.id);
    await tx.query('update budgets set shared_name = $3 where workspace_id = $1 and id = $2', [
      workspaceId,
      id,
      owner.name,
    ]);
  }
}

/** The budget of an owner in a currency, also if it is closed. */
export function findBudget(
  tx: Queryable,
  workspaceId: number,
  { kind, memberId, teamId, name }: BudgetHolder,
  currency: string,
): Promise<{ id: number; isClosed: boolean } | null> {
  return queryOptional<{ id: number; isClosed: boolean }>(
    tx,
    `select id, closed_at is not null as "isClosed"
       from budgets
      where workspace_id = $1 and currency = $2 and kind = $3
        and member_id is not distinct from $4
        and shared_team_id is not distinct from $5
        and lower(shared_name) is not distinct from lower($6::text)`,
    [workspaceId, currency, kind, memberId, teamId, name],
  );
}

export function alreadySet(currency: string, id: number): Failure {
  return new Failure('conflict', `There is a budget for that in ${currency} already, ${id}: grant or change that one.`);
}

function nameAt(path: string, text: string): string {
  const name = plainText(text).trim();
  if (name === '') throw invalid([{ path, problem: 'must not be blank' }]);
  return name;
}

async function findTeam(tx: Queryable, workspaceId: number, name: string): Promise<number> {
  const team = await queryOptional<{ id: number }>(
    tx,
    `select id from teams where workspace_id = $1 and lower(name) = lower($2) order by name = $2 desc, id limit 1`,
    [workspaceId, name],
  );
  if (!team) throw invalid([{ path: 'team', problem: 'must be the name of a team of this workspace' }]);
  return team.id;
}

async function checkMember(tx: Queryable, workspaceId: number, memberId: number): Promise<void> {
  const found = await tx.query(
    `select from members m where m.workspace_id = $1 and m.id = $2 and (m.is_integration or ${isPerson('m')})`,
    [workspaceId, memberId],
  );
  if (found.length === 0)
    throw invalid([{ path: 'memberId', problem: 'must be the id of a member of this workspace' }]);
}
