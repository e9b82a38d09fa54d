import type { OrderDetails, OrderSummary } from '@giftwire/sdk';
import { Pill } from '../../parts/state-pill.tsx';
import { useWords } from '../../words/words.tsx';
import { ApprovalPill } from '../approvals/decisions.tsx';

const looks = {
  ACCEPTED: { tone: 'blue', icon: 'clock' },
  COMPLETED: { tone: 'green', icon: 'ok' },
  FAILED: { tone: 'red', icon: 'warn' },
} as const;

type Known = Pick<OrderSummary, 'requestStatus'> & Partial<Pick<OrderDetails, 'approval'>>;

/** The status of an order; while it waits, or if it was declined, that of its approval. */
export function OrderPill({ order }: { order: Known }) {
  const { orders } = useWords();
  const { requestStatus, approval } = order;
  if (approval && (approval.state === 'WAITING' || isDeclined(order))) return <ApprovalPill state={approval.state} />;
  return <Pill {...looks[requestStatus]}>{orders.statuses[requestStatus]}</Pill>;
}

export function isDeclined({ requestStatus, approval }: Known): boolean {
  return requestStatus === 'FAILED' && (approval?.state === 'DECLINED' || approval?.state === 'EXPIRED');
}
