import { useQuery } from '@tanstack/react-query';
import { giftwire } from '../../data/client.ts';
import { useHere } from '../../data/me.tsx';
import { usableBudget } from '../../gift/budget.ts';
import { usualCurrency } from '../../gift/terms.ts';
import { Icon } from '../../parts/icon.tsx';
import { GoButton } from '../../parts/link.tsx';
import { useFormats, useWords } from '../../words/words.tsx';
import styles from './home.module.css';

/** What a manager can still spend. They see no budgets otherwise; an order without gifts is enough to ask for it. */
export function OwnBudget() {
  const { send, frame } = useWords();
  const { money } = useFormats();
  const { workspace } = useHere();
  const currency = workspace.currency ?? usualCurrency(workspace.id, workspace.language);
  const { data } = useQuery({
    queryKey: ['orders', 'trial', 'budget', currency],
    queryFn: ({ signal }) => giftwire.orders.validate({ currency, orderItems: [] }, { signal }),
    enabled: workspace.seesReportsOnly,
  });
  if (!data?.budget) return null;
  const { available, kind, name } = usableBudget(data.budget);
  return (
    <p className={`box ${styles.noName}`}>
      <Icon name="coin" /> {send.budgetLeft(money(available, currency), send.budgets[kind](name ?? ''))}{' '}
      <GoButton to="/send" size="compact-md">
        {frame.sendGift}
      </GoButton>
    </p>
  );
}
