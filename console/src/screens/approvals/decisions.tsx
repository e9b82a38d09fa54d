import type { OrderDecision } from '@giftwire/sdk';
import type { ReactNode } from 'react';
import { Pill } from '../../parts/state-pill.tsx';
import { When } from '../../parts/when.tsx';
import { useWords, type Words } from '../../words/words.tsx';
import styles from './approvals.module.css';

const looks = {
  WAITING: { tone: 'amber', icon: 'pause' },
  APPROVED: { tone: 'green', icon: 'ok' },
  DECLINED: { tone: 'red', icon: 'no' },
  EXPIRED: { tone: 'red', icon: 'clock' },
} as const;

export function ApprovalPill({ state }: { state: keyof Words['approvals']['states'] }) {
  const { approvals } = useWords();
  return <Pill {...looks[state]}>{approvals.states[state]}</Pill>;
}

interface CommentProps {
  decision: OrderDecision;
  /** In a list: smaller. */
  isShort?: boolean;
}

/** Who decided what and when, with the comment that the sender reads. */
export function Comment({ decision, isShort = false }: CommentProps) {
  const { approvals: words } = useWords();
  const { by, comment, at } = decision;
  const said =
    decision.decision === 'EXPIRED' ? words.decidedBy.EXPIRED : words.decidedBy[decision.decision](by?.name ?? '–');
  return (
    <figure className={styles.comment} data-short={isShort || undefined} data-decision={decision.decision}>
      <figcaption>
        <b>{said}</b>{' '}
        <span className="quiet small">
          <When time={at} />
        </span>
      </figcaption>
      {comment && <blockquote className="letter">{comment}</blockquote>}
    </figure>
  );
}

/** The note of the order: what the gifts are for. Recipients never see it. */
export function Note({ by, children, hint }: { by: string; children: ReactNode; hint?: string }) {
  const { approvals: words } = useWords();
  return (
    <figure className={styles.comment} data-short={hint === undefined || undefined}>
      <figcaption className="quiet small">{words.note(by)}</figcaption>
      <blockquote className="letter">{children}</blockquote>
      {hint && <p className="quiet small">{hint}</p>}
    </figure>
  );
}
