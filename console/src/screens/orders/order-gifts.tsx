import type { Gift, GiftTotals, OrderDetails } from '@giftwire/sdk';
import { useInfiniteQuery } from '@tanstack/react-query';
import { giftwire } from '../../data/client.ts';
import { useFilters } from '../../data/filters.ts';
import { useCan } from '../../data/me.tsx';
import { Fault } from '../../parts/fault.tsx';
import { Go } from '../../parts/link.tsx';
import { Money } from '../../parts/money.tsx';
import { nameOf } from '../../parts/name.ts';
import { useTurning } from '../../parts/pages.tsx';
import { Split } from '../../parts/split.tsx';
import { type GiftState, StatePill } from '../../parts/state-pill.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Waiting } from '../../parts/waiting.tsx';
import { useFormats, useWords } from '../../words/words.tsx';
import { lastOf, needsAddress, standingOf } from '../gifts/standing.ts';
import { sharesOf } from '../gifts/standings.ts';
import { Who } from '../gifts/who.tsx';
import styles from './orders.module.css';

const size = 25;
/** An order has at most this many gifts, so its gifts of one standing are found among all of them. */
const most = 1_000;

/** What has become of the gifts of an order. The bar above the list says how many stand where, and filters it. */
export function OrderGifts({ order, totals }: { order: OrderDetails; totals: GiftTotals | undefined }) {
  const words = useWords();
  const [filters, change] = useFilters();
  const shares = totals ? sharesOf(totals, words) : [];
  const chosen = shares.find(({ key }) => key === filters.show)?.key ?? null;
  return (
    <>
      {shares.length > 0 && (
        <Split label={words.orders.gifts} shares={shares} chosen={chosen} onChoose={(show) => change({ show })} />
      )}
      <GiftList key={chosen} order={order} show={chosen as GiftState | null} total={order.gifts} />
    </>
  );
}

interface ListProps {
  order: OrderDetails;
  show: GiftState | null;
  total: number;
}

function GiftList({ order, show, total }: ListProps) {
  const { orders: words } = useWords();
  const { requestId } = order;
  const list = useInfiniteQuery({
    queryKey: ['gifts', 'list', { requestId, show }],
    queryFn: ({ pageParam, signal }) =>
      giftwire.gifts.list(
        { requestId, size: show ? most : size, ...(pageParam !== null && { after: pageParam }) },
        { signal },
      ),
    initialPageParam: null as number | null,
    getNextPageParam: ({ next }) => next,
  });
  const { rows, foot } = useTurning(
    list,
    ({ gifts }) => (show ? gifts.filter((gift) => standingOf(gift) === show) : gifts),
    show ? { size: most } : { size, total },
  );
  const columns = useColumns(order);
  if (list.error) return <Fault error={list.error} retry={() => void list.refetch()} />;
  if (!list.data) return <Waiting lines={8} />;
  return <Table label={words.gifts} columns={columns} rows={rows} rowKey={({ id }) => id} foot={foot} />;
}

function useColumns(order: OrderDetails): Column<Gift>[] {
  const { orders: words, gifts } = useWords();
  const formats = useFormats();
  const can = useCan();
  const { isSame } = messageOf(order);
  return [
    {
      key: 'recipient',
      head: words.person,
      cell: ({ id, recipient, message }) => (
        <Who
          name={nameOf(recipient)}
          to={`/gifts/${id}`}
          line={isSame ? null : <span className={styles.words}>{message}</span>}
        />
      ),
    },
    { key: 'state', head: words.status, cell: (gift) => <StatePill state={standingOf(gift)} /> },
    {
      key: 'last',
      head: words.last,
      cell: (gift) => (
        <span className="second">
          {lastOf(gift, gifts, formats)}
          {needsAddress(gift) && can('gifts:manage') && (
            <>
              {' '}
              <Go to={`/gifts/${gift.id}`}>{words.correct}</Go>
            </>
          )}
        </span>
      ),
    },
    {
      key: 'left',
      head: words.left,
      isNumber: true,
      cell: ({ amount, redeemed, currency, state }) => (
        <Money amount={state === 'CANCELLED' || state === 'EXPIRED' ? 0 : amount - redeemed} currency={currency} />
      ),
    },
  ];
}

/** The message of an order's gifts: the first one, and whether all have it. */
export function messageOf({ lines }: OrderDetails): { message: string; isSame: boolean } {
  const message = lines[0]?.message ?? '';
  return { message, isSame: lines.every((line) => line.message === message) };
}
