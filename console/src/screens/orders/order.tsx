import type { OrderDetails, OrderLine } from '@giftwire/sdk';
import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { giftwire } from '../../data/client.ts';
import { printAddress } from '../../data/download.ts';
import { useFilters } from '../../data/filters.ts';
import { useCan } from '../../data/me.tsx';
import { Fault } from '../../parts/fault.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Go, GoButton } from '../../parts/link.tsx';
import { Money } from '../../parts/money.tsx';
import { nameOf } from '../../parts/name.ts';
import { Facts, Page, Section } from '../../parts/page.tsx';
import { Pages } from '../../parts/pages.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { tell } from '../../parts/tell.tsx';
import { Waiting } from '../../parts/waiting.tsx';
import { useFormats, useWords } from '../../words/words.tsx';
import styles from '../gifts/gifts.module.css';
import { OrderPill } from './status.tsx';

const size = 50;
const underWayMs = 1_000;

/** One order: what was ordered, how it ended, and another try if it failed. */
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
  const can = useCan();
  const [, change] = useFilters();
  const columns = useLineColumns(order.currency);
  const { requestId, requestStatus } = order;
  const isDone = requestStatus === 'COMPLETED';
  return (
    <Page
      title={words.name(order.orderId ?? requestId.slice(0, 8))}
      beside={<OrderPill status={requestStatus} />}
      text={words.giftsOf(order.gifts)}
      above={<Go to="/orders">{words.title}</Go>}
      actions={
        isDone && (
          <>
            {can('gifts:manage') && (
              <Button component="a" href={printAddress({ requestId, perPage: '8' })} target="_blank">
                {words.print}
              </Button>
            )}
            {can('gifts:read') && (
              <GoButton to="/gifts" search={{ requestId } as never}>
                {words.seeGifts}
              </GoButton>
            )}
          </>
        )
      }
    >
      {requestStatus === 'FAILED' && <Failed order={order} />}
      <div className="two">
        <Section title={words.lines}>
          <Table
            label={words.lines}
            columns={columns}
            rows={order.lines.map((line, nth) => ({ ...line, nth }))}
            rowKey={({ nth }) => nth}
            foot={
              order.totalPages > 1 && (
                <Pages
                  page={order.page}
                  size={order.size}
                  total={order.totalElements}
                  onPage={(page) => change({ page: String(page) })}
                />
              )
            }
          />
        </Section>
        <OrderFacts order={order} />
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

function OrderFacts({ order }: { order: OrderDetails }) {
  const { orders } = useWords();
  const formats = useFormats();
  const { facts } = orders;
  return (
    <Facts
      facts={[
        [facts.from, order.senderName],
        [facts.total, formats.money(order.total, order.currency)],
        [facts.accepted, formats.moment(order.acceptedAt)],
        ...(order.finishedAt ? [[facts.finished, formats.moment(order.finishedAt)] as const] : []),
        ...(order.customerRequestId ? [[facts.reference, order.customerRequestId] as const] : []),
        [facts.id, <code key="id">{order.requestId}</code>],
      ]}
    />
  );
}

function useLineColumns(currency: string): Column<OrderLine & { nth: number }>[] {
  const { orders: words } = useWords();
  const can = useCan();
  return [
    {
      key: 'person',
      head: words.person,
      cell: (line) => {
        const name = nameOf({ ...line, firstName: line.firstName ?? '', lastName: line.lastName ?? '' });
        return line.giftId !== null && can('gifts:read') ? <Go to={`/gifts/${line.giftId}`}>{name}</Go> : <b>{name}</b>;
      },
    },
    {
      key: 'amount',
      head: words.amount,
      isNumber: true,
      cell: ({ amount }) => <Money amount={amount} currency={currency} />,
    },
    {
      key: 'message',
      head: words.message,
      isWide: true,
      cell: ({ message }) => <span className="letter">{message}</span>,
    },
  ];
}
