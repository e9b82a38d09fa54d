import type { OrderDetails } from '@giftwire/sdk';
import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { giftwire } from '../../data/client.ts';
import { useFilters } from '../../data/filters.ts';
import { useCan } from '../../data/me.tsx';
import { Fault } from '../../parts/fault.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Go } from '../../parts/link.tsx';
import { Page } from '../../parts/page.tsx';
import { tell } from '../../parts/tell.tsx';
import { Waiting } from '../../parts/waiting.tsx';
import { useFormats, useWords } from '../../words/words.tsx';
import { useBulkActions } from '../gifts/bulk.tsx';
import styles from '../gifts/gifts.module.css';
import { OrderActions } from './order-actions.tsx';
import { OrderFacts } from './order-facts.tsx';
import { OrderGifts } from './order-gifts.tsx';
import { OrderLines } from './order-lines.tsx';
import { OrderPill } from './status.tsx';

const size = 50;
const underWayMs = 1_000;

/** One order: what has become of its gifts, what was ordered, and another try if it failed. */
export default function OrderScreen() {
  const { requestId = '' } = useParams({ strict: false });
  const { screens, orders: words } = useWords();
  const [filters] = useFilters();
  const page = Number(filters.page ?? 0);
  const order = useQuery({
    queryKey: ['orders', 'one', requestId, page],
    queryFn: ({ signal }) => giftwire.orders.details(requestId, { page, size }, { signal }),
    refetchInterval: ({ state }) => (state.data?.requestStatus === 'ACCEPTED' ? underWayMs : false),
  });
  if (order.data) return <Shown order={order.data} />;
  return (
    <Page title={screens.order} above={<Go to="/orders">{words.title}</Go>}>
      {order.error ? <Fault error={order.error} retry={() => void order.refetch()} /> : <Waiting lines={8} />}
    </Page>
  );
}

function Shown({ order }: { order: OrderDetails }) {
  const { orders: words } = useWords();
  const { moment } = useFormats();
  const can = useCan();
  const isDone = order.requestStatus === 'COMPLETED' && can('gifts:read');
  const totals = useQuery({
    queryKey: ['gifts', 'totals', { requestId: order.requestId }],
    queryFn: ({ signal }) => giftwire.gifts.totals({ requestId: order.requestId }, { signal }),
    enabled: isDone,
  });
  const bulk = useBulkActions({
    gifts: { requestId: order.requestId },
    totals: totals.data,
    cancel: words.cancelUnclaimed,
  });
  return (
    <Page
      title={words.heading(order.gifts, order.senderName)}
      beside={<OrderPill status={order.requestStatus} />}
      text={words.subtitle(String(order.orderId ?? order.requestId.slice(0, 8)), moment(order.acceptedAt))}
      above={<Go to="/orders">{words.title}</Go>}
      actions={<OrderActions order={order} bulk={bulk.buttons} />}
    >
      {order.requestStatus === 'FAILED' && <Failed order={order} />}
      {bulk.outcome}
      <div className="two">
        <div>{isDone ? <OrderGifts order={order} totals={totals.data} /> : <OrderLines order={order} />}</div>
        <OrderFacts order={order} totals={totals.data} />
      </div>
    </Page>
  );
}

function Failed({ order }: { order: OrderDetails }) {
  const { orders: words } = useWords();
  const can = useCan();
  const queries = useQueryClient();
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const retry = async () => {
    setBusy(true);
    setError(null);
    try {
      await giftwire.orders.retry(order.requestId);
      tell(words.retried);
      await queries.invalidateQueries({ queryKey: ['orders'] });
    } catch (thrown) {
      setError(thrown);
    } finally {
      setBusy(false);
    }
  };
  return (
    <section className={styles.fix} aria-label={words.failedTitle}>
      <h2>
        <Icon name="warn" />
        {words.failedTitle}
      </h2>
      <p className="second">{words.failedText}</p>
      {order.failure && <code className="raw">{order.failure}</code>}
      {can('orders:write') && (
        <Button mt={12} variant="filled" loading={isBusy} onClick={() => void retry()}>
          {words.retry}
        </Button>
      )}
      <Fault error={error} />
    </section>
  );
}
