import { useState } from 'react';
import { Face } from '../../parts/face.tsx';
import { Fault } from '../../parts/fault.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Go } from '../../parts/link.tsx';
import { Money } from '../../parts/money.tsx';
import { When } from '../../parts/when.tsx';
import { useWords } from '../../words/words.tsx';
import styles from './approvals.module.css';
import { useAskedNames } from './asked.ts';
import { DecideButtons } from './decide-buttons.tsx';
import { DecideDialog } from './decide-dialog.tsx';
import { Comment, Note } from './decisions.tsx';
import type { Together } from './together.ts';
import { type Choice, type Overtaken, useOrderDecision } from './use-decision.ts';
import { useWhat } from './what.ts';

interface OrderRowProps {
  together: Together;
  /** Whether the user can decide in the row. */
  isOpen: boolean;
  onOvertaken: (found: Overtaken) => void;
}

/** Orders that wait: who asks for what, why they wait, and what decides them. */
export function OrderRow({ together, isOpen, onOvertaken }: OrderRowProps) {
  const { approvals: words } = useWords();
  const { order, orders, gifts, total } = together;
  const { sender, recipient, message, note, currency } = order;
  const asks = orders.length > 1 ? words.asksForFile(gifts, orders.length) : words.asksFor(gifts);
  return (
    <li>
      <Face name={sender.name} />
      <div>
        <p>
          <Go to={`/approvals/${order.requestId}`} className={styles.what}>
            <b>{sender.name}</b> {gifts === 1 ? words.givesTo(recipient) : asks}
          </Go>
        </p>
        {gifts === 1 && <blockquote className="letter">{message}</blockquote>}
        {note && <Note by={sender.name}>{note}</Note>}
        {orders.length > 1 && (
          <p className={`${styles.parts} small`}>
            {orders.map((one, nth) => (
              <Go key={one.requestId} to={`/approvals/${one.requestId}`}>
                {words.order(nth + 1, words.gifts(one.gifts))}
              </Go>
            ))}
          </p>
        )}
        <Why together={together} />
        {order.decisions.map((decision) => (
          <Comment key={decision.level} decision={decision} isShort />
        ))}
      </div>
      <div className={styles.amount}>
        <b>
          <Money amount={total} currency={currency} />
        </b>
        <span className="quiet small">{words.gifts(gifts)}</span>
      </div>
      {isOpen && <Decide together={together} onOvertaken={onOvertaken} />}
    </li>
  );
}

/** The rule, whom it asks, since when and until when. */
function Why({ together: { order } }: { together: Together }) {
  const { approvals: words } = useWords();
  const namesOf = useAskedNames();
  const { rule, state, asked, level, levels, askedAt, decideBy, customerRequestId } = order;
  const isWaiting = state === 'WAITING';
  return (
    <p className={`${styles.why} quiet small`}>
      {isWaiting && <Icon name="pause" size={14} />}
      <span>
        {[
          rule.name,
          isWaiting && (asked.length > 0 ? words.asked(namesOf(asked)) : words.noneAsked),
          levels > 1 && words.level(level, levels),
          customerRequestId && words.file(customerRequestId),
        ]
          .filter(Boolean)
          .join(' · ')}{' '}
        · {isWaiting ? words.since('') : words.askedAt}
        <When time={askedAt} as="ago" />
        {isWaiting && (
          <>
            {' '}
            · {words.decideBy('')}
            <When time={decideBy} />
          </>
        )}
      </span>
    </p>
  );
}

function Decide({ together, onOvertaken }: Omit<OrderRowProps, 'isOpen'>) {
  const { approvals: words } = useWords();
  const whatOf = useWhat();
  const { order, orders, gifts, total } = together;
  const what = whatOf.order({ ...order, gifts, total });
  const [asking, ask] = useState<Choice | null>(null);
  const { mutate, isPending, error } = useOrderDecision(what, { onDecided: () => ask(null), onOvertaken });
  return (
    <div className={styles.decide}>
      <DecideButtons
        declineOf={words.declineOf(what)}
        approveOf={words.approveOf(what)}
        isApproving={isPending && asking === null}
        onDecline={() => ask('DECLINED')}
        // One gift is approved at once. More of them are a larger step, which is worth a second look.
        onApprove={() => (gifts === 1 ? mutate({ orders, decision: 'APPROVED' }) : ask('APPROVED'))}
      />
      {asking === null && <Fault error={error} />}
      {asking && (
        <DecideDialog
          decision={asking}
          what={what}
          sender={order.sender.name}
          isLast={order.level === order.levels}
          isSaving={isPending}
          fault={error}
          onClose={() => ask(null)}
          onDecide={(comment) => mutate({ orders, decision: asking, comment })}
        />
      )}
    </div>
  );
}
