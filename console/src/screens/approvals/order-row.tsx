import type { OrderApproval } from '@giftwire/sdk';
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
import { type Choice, type Overtaken, useOrderDecision } from './use-decision.ts';
import { sumOf, useWhat } from './what.ts';

interface OrderRowProps {
  /** Of a batch the first. */
  order: OrderApproval;
  /** Whether the user can decide in the row. */
  isOpen: boolean;
  onOvertaken: (found: Overtaken) => void;
}

/** An order or a batch of them: who asks for what, why they wait, and what decides them. */
export function OrderRow({ order, isOpen, onOvertaken }: OrderRowProps) {
  const { approvals: words } = useWords();
  const { sender, recipient, message, note, byAutomation, currency } = order;
  const { gifts, total, orders } = sumOf(order);
  const asks = orders > 1 ? words.asksForFile(gifts, orders) : words.asksFor(gifts);
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
        {note && <Note by={byAutomation ? words.anAutomation : sender.name}>{note}</Note>}
        <Why order={order} />
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
      {isOpen && <Decide order={order} onOvertaken={onOvertaken} />}
    </li>
  );
}

/** The rule, whom it asks, since when and until when. */
function Why({ order }: { order: OrderApproval }) {
  const { approvals: words } = useWords();
  const namesOf = useAskedNames();
  const { rule, state, asked, level, levels, askedAt, decideBy, customerRequestId, batch } = order;
  const reference = batch?.name ?? customerRequestId;
  const isWaiting = state === 'WAITING';
  return (
    <p className={`${styles.why} quiet small`}>
      {isWaiting && <Icon name="pause" size={14} />}
      <span>
        {[
          rule.name,
          isWaiting && (asked.length > 0 ? words.asked(namesOf(asked)) : words.noneAsked),
          levels > 1 && words.level(level, levels),
          reference && words.file(reference),
        ]
          .filter(Boolean)
          .join(' · ')}{' '}
        · {isWaiting ? words.since('') : words.askedAt}
        <When time={askedAt} as={isWaiting ? 'moment' : 'ago'} />
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

function Decide({ order, onOvertaken }: Omit<OrderRowProps, 'isOpen'>) {
  const { approvals: words } = useWords();
  const whatOf = useWhat();
  const { gifts } = sumOf(order);
  const what = whatOf.order(order);
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
        onApprove={() => (gifts === 1 ? mutate({ order, decision: 'APPROVED' }) : ask('APPROVED'))}
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
          onDecide={(comment) => mutate({ order, decision: asking, comment })}
        />
      )}
    </div>
  );
}
