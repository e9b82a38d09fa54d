import { audienceFaults, customKeys } from '../../company/directory/audience-references.ts';
import type { AutomationTerms } from '../../ground/contract/automation.ts';
import type { Queryable } from '../../ground/database/database.ts';
import { type Fault, invalid } from '../../ground/errors.ts';
import { notOffered, offeredReasons } from '../recognition/reasons.ts';
import { commonPlaceholders } from './placeholders.ts';
import { faultsInTerms } from './terms.ts';

/** Rejects terms that cannot be right: fields that do not belong together, and people, teams, budgets and fields that do not exist. */
export async function checkTerms(on: Queryable, workspaceId: number, terms: AutomationTerms): Promise<void> {
  const keys = await customKeys(on, workspaceId);
  const faults = [
    ...faultsInTerms(terms, [...commonPlaceholders, ...keys]),
    ...(await audienceFaults(on, workspaceId, terms.audience, [{ path: 'from.memberId', id: terms.from.memberId }])),
    ...(await unfitBudget(on, workspaceId, terms)),
    ...(await unknownReason(on, workspaceId, terms)),
  ];
  if (faults.length > 0) throw invalid(faults);
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
