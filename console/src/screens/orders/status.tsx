import type { OrderRequestStatus } from '@giftwire/sdk';
import { Pill } from '../../parts/state-pill.tsx';
import { useWords } from '../../words/words.tsx';

const looks = {
  ACCEPTED: { tone: 'blue', icon: 'clock' },
  COMPLETED: { tone: 'green', icon: 'ok' },
  FAILED: { tone: 'red', icon: 'warn' },
} as const;

export function OrderPill({ status }: { status: OrderRequestStatus['requestStatus'] }) {
  const { orders } = useWords();
  return <Pill {...looks[status]}>{orders.statuses[status]}</Pill>;
}
