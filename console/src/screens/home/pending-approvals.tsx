import type { Approval, ApprovalPage } from '@giftwire/sdk';
import { Go, GoButton } from '../../parts/link.tsx';
import { nameOf } from '../../parts/name.ts';
import { Dot } from '../../parts/timeline.tsx';
import { useFormats, useWords } from '../../words/words.tsx';
import { sumOf } from '../approvals/what.ts';
import styles from './home.module.css';

/** How many approvals wait for the user, and the oldest of them. */
export function PendingApprovals({ page }: { page: ApprovalPage }) {
  const { home } = useWords();
  const { number } = useFormats();
  const { totalElements: count, approvals } = page;
  const left = count - approvals.length;
  return (
    <li>
      <Dot icon="approve" tone="brand" />
      <div>
        <b>{home.waiting(count, number(count))}</b>
        <ul className={styles.pending}>
          {approvals.map((one) => (
            <li key={one.order?.requestId ?? one.shoutout?.id}>
              <Line approval={one} />
            </li>
          ))}
          {left > 0 && <li className="quiet">{home.waitingMore(left)}</li>}
        </ul>
      </div>
      <GoButton to="/approvals" size="compact-md" className={styles.act}>
        {home.waitingAct}
      </GoButton>
    </li>
  );
}

function Line({ approval: { order, shoutout } }: { approval: Approval }) {
  const { approvals: words, home } = useWords();
  const { money } = useFormats();
  if (order) {
    const { gifts, total } = sumOf(order);
    const amount = money(total, order.currency);
    return (
      <>
        <Go to={`/approvals/${order.requestId}`}>
          {order.sender.name} {gifts === 1 ? home.givesAmountTo(order.recipient, amount) : words.asksFor(gifts)}
        </Go>
        {gifts > 1 && `, ${amount}`}
      </>
    );
  }
  return (
    shoutout && (
      <span className="second">
        {nameOf(shoutout.sender)} {words.thanks} {nameOf(shoutout.receiver)}
      </span>
    )
  );
}
