import type { RuleCondition } from '../../ground/contract/rule.ts';
import type { Queryable } from '../../ground/database/database.ts';
import { announceGrantChange } from './grant-changes.ts';

/** Keeps which orders the rules of a workspace may fit, for grants. Nodes that keep grants in memory hear of it. */
export async function keepRuleConditions(
  tx: Queryable,
  workspaceId: number,
  conditions: readonly RuleCondition[],
): Promise<void> {
  await tx.query('update workspaces set rule_conditions = $2 where id = $1', [workspaceId, JSON.stringify(conditions)]);
  await announceGrantChange(tx);
}
