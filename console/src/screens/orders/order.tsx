import type { OrderApproval, OrderDetails } from '@giftwire/sdk';
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
import { useSubmit } from '../../parts/use-submit.ts';
import { Waiting } from '../../parts/waiting.tsx';
import { useFormats, useWords } from '../../words/words.tsx';
import { useIsAsked } from '../approvals/asked.ts';
import { DecideForm } from '../approvals/decide-form.tsx';
import { OvertakenNotice } from '../approvals/overtaken.tsx';
import { ApprovalProgress, WhatNext } from '../approvals/progress.tsx';
import type { Overtaken } from '../approvals/use-decision.ts';
import { useBulkActions } from '../gifts/bulk.tsx';
import styles from '../gifts/gifts.module.css';
import { OrderActions } from './order-actions.tsx';
import { OrderFacts } from './order-facts.tsx';
import { OrderGifts } from './order-gifts.tsx';
import { OrderLines } from './order-lines.tsx';
import { isDeclined, OrderPill } from './status.tsx';

const size = 50;
const underWayMs = 1_000;
/** People decide more slowly than workers issue gifts. */
const waitingMs = 15_000;

/** One order: what has become of its gifts, what was ordered, and another try if it failed. */
export default function OrderScreen() {
  const { requestId = '' } = useParams({ strict: false });
  const { screens, orders: words } = useWords();
  const [filters] = useFilters();
  const page = Number(filters.page ?? 0);
  const order = useQuery({
    queryKey: ['orders', 'one', requestId, page],
    queryFn: ({ signal }) => giftwire.orders.details(requestId, { page, size }, { signal }),
    refetchInterval: ({ state: { data } }) => {
      if (data?.requestStatus !== 'ACCEPTED') return false;
      return data.approval?.state === 'WAITING' ? waitingMs : underWayMs;
    },
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
      beside={<OrderPill order={order} />}
      text={words.subtitle(String(order.orderId ?? order.requestId.slice(0, 8)), moment(order.acceptedAt))}
      above={<Go to="/orders">{words.title}</Go>}
      actions={<OrderActions order={order} bulk={bulk.buttons} />}
    >
      {order.approval && <ApprovalProgress approval={order.approval} />}
      {order.requestStatus === 'FAILED' && <Failed order={order} />}
      {bulk.outcome}
      <div className="two">
        <div>
          {order.approval?.state === 'WAITING' && <OrderWaits approval={order.approval} />}
          {isDone ? <OrderGifts order={order} totals={totals.data} /> : <OrderLines order={order} />}
        </div>
        <OrderFacts order={order} totals={totals.data} />
      </div>
    </Page>
  );
}

/** Whom the order waits for, what happens next, and the decision for those who are asked. */
function OrderWaits({ approval }: { approval: OrderApproval }) {
  const can = useCan();
  const isAsked = useIsAsked();
  const [overtaken, setOvertaken] = useState<Overtaken | null>(null);
  return (
    <>
      {overtaken && <OvertakenNotice found={overtaken} onClose={() => setOvertaken(null)} />}
      <WhatNext approval={approval} />
      {can('approvals:decide') && isAsked(approval) && <DecideForm approval={approval} onOvertaken={setOvertaken} />}
    </>
  );
}

/** It failed, or was declined: the sender can try again. */
function Failed({ order }: { order: OrderDetails }) {
  const { orders: words, approvals } = useWords();
  const can = useCan();
  const queries = useQueryClient();
  const {
    error,
    isBusy,
    submit: retry,
  } = useSubmit(async () => {
    await giftwire.orders.retry(order.requestId);
    tell(words.retried);
    await queries.invalidateQueries({ queryKey: ['orders'] });
  });
  if (isDeclined(order))
    return (
      can('orders:write') && (
        <section className={styles.again} aria-label={approvals.again}>
          <p className="second">{approvals.againText}</p>
          <Button loading={isBusy} onClick={retry}>
            {approvals.again}
          </Button>
          <Fault error={error} />
        </section>
      )
    );
  return (
    <section className={styles.fix} aria-label={words.failedTitle}>
      <h2>
        <Icon name="warn" />
        {words.failedTitle}
      </h2>
      <p className="second">{words.failedText}</p>
      {order.failure && <code className="raw">{order.failure}</code>}
      {can('orders:write') && (
        <Button mt={12} variant="filled" loading={isBusy} onClick={retry}>
          {words.retry}
        </Button>
      )}
      <Fault error={error} />
    </section>
  );
}
