import type { Budget } from '@giftwire/sdk';
import { nameOf } from '../../parts/name.ts';
import { Pill } from '../../parts/state-pill.tsx';
import { useWords } from '../../words/words.tsx';

/** Whose budget it is: the workspace's, or that of a person, team, cost centre or department by name. */
export function useBudgetName(): (budget: Budget) => string {
  const { money: words } = useWords();
  return ({ kind, member, team, costCentre, department, id }) => {
    if (kind === 'UNLIMITED') return words.unlimited;
    if (kind === 'WORKSPACE') return words.workspace;
    if (team) return words.team(team.name || words.deletedTeam);
    if (costCentre !== null) return words.costCentre(costCentre);
    if (department !== null) return words.department(department);
    return member ? nameOf(member, `${member.id}`) : words.budget(String(id));
  };
}

/** Says that a budget is low, used up or closed; nothing where all is well. */
export function LevelPill({
  budget: { level, closedAt, kind },
}: {
  budget: Pick<Budget, 'level' | 'closedAt' | 'kind'>;
}) {
  const { money: words } = useWords();
  if (closedAt !== null)
    return (
      <Pill tone="neutral" icon="no">
        {words.closed}
      </Pill>
    );
  if (kind === 'UNLIMITED' || level === 'ENOUGH') return null;
  return level === 'LOW' ? (
    <Pill tone="amber" icon="half">
      {words.levels.LOW}
    </Pill>
  ) : (
    <Pill tone="red" icon="warn">
      {words.levels.EXHAUSTED}
    </Pill>
  );
}
