import type { OrderListQuery, OrderSummary } from '@giftwire/sdk';
import { Button, SegmentedControl } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { giftwire } from '../../data/client.ts';
import { useFilters } from '../../data/filters.ts';
import { Empty } from '../../parts/empty.tsx';
import { Fault } from '../../parts/fault.tsx';
import { Go } from '../../parts/link.tsx';
import { Money } from '../../parts/money.tsx';
import { Page } from '../../parts/page.tsx';
import { useTurning } from '../../parts/pages.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Waiting } from '../../parts/waiting.tsx';
import { When } from '../../parts/when.tsx';
import { useFormats, useWords } from '../../words/words.tsx';
import styles from './orders.module.css';
import { OrderPill } from './status.tsx';

const size = 25;
const anyStatus = 'ANY';

export default function Orders() {
  const { orders: words, gifts } = useWords();
  const [filters, change] = useFilters();
  const { status } = filters as { status?: NonNullable<OrderListQuery['status']> };
  return (
    <Page title={words.title} text={words.text} above={<Go to="/gifts">{gifts.title}</Go>}>
      <SegmentedControl
        mb={16}
        className={styles.choice}
        aria-label={words.status}
        value={status ?? anyStatus}
        data={[
          { value: anyStatus, label: words.any },
          ...Object.entries(words.statuses).map(([value, label]) => ({ value, label })),
        ]}
        onChange={(chosen) => change({ status: chosen === anyStatus ? null : chosen })}
      />
      <OrderList key={status} status={status} onAll={() => change({ status: null })} />
    </Page>
  );
}

interface ListProps {
  status: OrderListQuery['status'] | undefined;
  onAll: () => void;
}

function OrderList({ status, onAll }: ListProps) {
  const { orders: words } = useWords();
  const columns = useOrderColumns();
  const pages = useInfiniteQuery({
    queryKey: ['orders', 'list', status ?? null],
    queryFn: ({ pageParam, signal }) =>
      giftwire.orders.list({ size, ...(status && { status }), ...(pageParam && { after: pageParam }) }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  });
  const { rows, isEmpty, foot } = useTurning(pages, ({ orders }) => orders, {
    size,
    pieces: { text: words.searched, next: words.furtherBack },
  });
  if (pages.error) return <Fault error={pages.error} retry={() => void pages.refetch()} />;
  if (!pages.data) return <Waiting lines={8} />;
  if (isEmpty)
    return status ? (
      <Empty title={words.noneTitle} action={<Button onClick={onAll}>{words.all}</Button>}>
        {words.noneText}
      </Empty>
    ) : (
      <Empty title={words.emptyTitle}>{words.emptyText}</Empty>
    );
  return <Table label={words.list} columns={columns} rows={rows} rowKey={({ requestId }) => requestId} foot={foot} />;
}

function useOrderColumns(): Column<OrderSummary>[] {
  const { orders: words } = useWords();
  const { number } = useFormats();
  return [
    {
      key: 'order',
      head: words.order,
      cell: ({ requestId, orderId, customerRequestId }) => (
        <span>
          <Go to={`/orders/${requestId}`}>{words.name(orderId ?? requestId.slice(0, 8))}</Go>
          {customerRequestId && <span className="quiet small"> {customerRequestId}</span>}
        </span>
      ),
    },
    { key: 'sender', head: words.sender, cell: ({ senderName }) => senderName },
    { key: 'gifts', isOptional: true, head: words.gifts, isNumber: true, cell: ({ gifts }) => number(gifts) },
    {
      key: 'total',
      head: words.total,
      isNumber: true,
      cell: ({ total, currency }) => <Money amount={total} currency={currency} />,
    },
    { key: 'status', head: words.status, cell: (order) => <OrderPill order={order} /> },
    { key: 'accepted', head: words.accepted, cell: ({ acceptedAt }) => <When time={acceptedAt} /> },
  ];
}
