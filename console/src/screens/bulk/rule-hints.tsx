import type { ExpectedRule } from '@giftwire/sdk';
import { useQuery } from '@tanstack/react-query';
import { giftwire } from '../../data/client.ts';
import { Fault } from '../../parts/fault.tsx';
import { Icon } from '../../parts/icon.tsx';
import { useWords } from '../../words/words.tsx';
import { useAskedNames } from '../approvals/asked.ts';
import styles from './bulk.module.css';
import type { GiftRow } from './file/rows.ts';
import { orderOf, piecesOf } from './job/plan.ts';

interface Hint {
  rule: ExpectedRule;
  gifts: number;
}

/** Which rules would apply to the orders of a file, and who would be asked. The service is asked about the orders as they will be sent. */
export function RuleHints({ rows }: { rows: readonly GiftRow[] }) {
  const { bulk, approvals } = useWords();
  const namesOf = useAskedNames();
  const { data, error, refetch } = useQuery({
    queryKey: ['orders', 'trial', 'rules', rows],
    queryFn: ({ signal }) => readHints(rows, signal),
    // The rows are too many to be compared as text.
    queryKeyHashFn: () => `rules of ${rows.length} rows, first ${rows[0]?.number}, last ${rows.at(-1)?.number}`,
    staleTime: 0,
    gcTime: 0,
  });
  if (error) return <Fault error={error} retry={() => void refetch()} />;
  if (!data) return <p className="quiet">{bulk.checkingRules}</p>;
  return (
    <div role="status" className={styles.rules}>
      {data.length === 0 && <p className="quiet">{bulk.noRule}</p>}
      {data.map(({ rule, gifts }) => (
        <p key={rule.id}>
          <Icon name={rule.outcome === 'ASK' ? 'pause' : 'warn'} size={16} />
          <span>
            {rule.outcome === 'ASK'
              ? bulk.ruleAsks(rule.name, gifts, namesOf(rule.asked) || approvals.noneAsked, rule.days ?? 0)
              : bulk.ruleRejects(rule.name, gifts)}
          </span>
        </p>
      ))}
    </div>
  );
}

async function readHints(rows: readonly GiftRow[], signal: AbortSignal): Promise<Hint[]> {
  const hints = new Map<number, Hint>();
  for (const piece of piecesOf(rows)) {
    const { rule } = await giftwire.orders.validate(orderOf(piece), { signal });
    if (rule) hints.set(rule.id, { rule, gifts: (hints.get(rule.id)?.gifts ?? 0) + piece.length });
  }
  return [...hints.values()];
}
