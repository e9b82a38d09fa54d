import type { AutomationTerms } from '../../ground/contract/automation.ts';
import type { Budget } from '../../ground/contract/budget.ts';
import { type Queryable, queryOptional } from '../../ground/database/database.ts';
import { firstOfMonth, monthOf } from '../../ground/values/calendar.ts';
import { readBudget } from '../budgets/read.ts';
import { dayOfMoment } from './due-at.ts';
import { costOf, exact, type Planned, type PlanScene } from './evaluate.ts';

/** What a month of a plan has, and what it lacks. */
export interface MonthOfFunds {
  month: string;
  /** Null: no budget applies. */
  available: number | null;
  short: number;
  unpaid: readonly Planned[];
  planned: readonly Planned[];
}

/** The budget that the gifts of an automation draw on, as it stands; null: nothing limits them. */
export async function readFunds(
  on: Queryable,
  workspaceId: number,
  { action, budgetId }: Pick<AutomationTerms, 'action' | 'budgetId'>,
): Promise<Budget | null> {
  if (action.is !== 'GIFT') return null;
  const id = budgetId ?? (await workspaceBudget(on, workspaceId, action.currency));
  const budget = id === null ? null : await readBudget(on, workspaceId, id);
  return budget?.kind === 'UNLIMITED' ? null : budget;
}

async function workspaceBudget(on: Queryable, workspaceId: number, currency: string | undefined) {
  const row = await queryOptional<{ id: number }>(
    on,
    `select id from budgets where workspace_id = $1 and currency = $2 and kind = 'WORKSPACE' and closed_at is null`,
    [workspaceId, currency ?? null],
  );
  return row?.id ?? null;
}

/** The months of a plan: the rest of the current one, twelve more, and the last of them until the same day. */
const monthsInPlan = 13;

function monthsOf({ today }: Pick<PlanScene, 'today'>): string[] {
  return Array.from({ length: monthsInPlan }, (_, nth) => monthOf(firstOfMonth(today, nth)));
}

/** What is planned for each month. Where it is still the day before, or already the day after, it counts for the first or the last month. */
function byMonth(scene: Pick<PlanScene, 'today'>, planned: readonly Planned[]): Map<string, Planned[]> {
  const months = monthsOf(scene);
  const [first, last] = [months[0] as string, months.at(-1) as string];
  return Map.groupBy(planned, ({ sendDay }) => {
    const month = monthOf(sendDay);
    return month < first ? first : month > last ? last : month;
  });
}

/**
 * Pays the gifts of each month, the earliest first, from what is available and what allowances add. `others` are gifts of other automations on the
 * same budget: what they cost is set aside first.
 */
export function spendByMonth(
  budget: Budget | null,
  scene: Pick<PlanScene, 'today' | 'timeZone'>,
  planned: readonly Planned[],
  others: readonly Planned[] = [],
): MonthOfFunds[] {
  const [ofMonth, othersOf] = [byMonth(scene, planned), byMonth(scene, others)];
  let left = budget === null || budget.closedAt !== null ? 0 : budget.available;
  return monthsOf(scene).map((month, nth) => {
    const gifts = ofMonth.get(month) ?? [];
    if (budget === null) return { month, available: null, short: 0, unpaid: [], planned: gifts };
    if (nth > 0) left = begin(budget, scene.timeZone, month, left);
    left = Math.max(0, exact(left - costOf(othersOf.get(month) ?? [])));
    const available = left;
    const unpaid = gifts.filter(({ amount, isSkipped }) => {
      if (isSkipped || amount === null) return false;
      if (amount > left) return true;
      left = exact(left - amount);
      return false;
    });
    return { month, available, short: Math.max(0, exact(costOf(gifts) - available)), unpaid, planned: gifts };
  });
}

/** What a month begins with: what is left, unless it lapses, and the allowance. */
function begin({ lapses, allowance, closedAt }: Budget, timeZone: string, month: string, left: number): number {
  const isNewYear = month.endsWith('-01');
  const kept = lapses === 'MONTH' || (lapses === 'YEAR' && isNewYear) ? 0 : left;
  if (!allowance || closedAt !== null || (allowance.every === 'YEAR' && !isNewYear)) return kept;
  const first = monthOf(dayOfMoment(Date.parse(allowance.nextAt), timeZone));
  return month < first ? kept : exact(kept + allowance.amount);
}
