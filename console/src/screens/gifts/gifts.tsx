import type { Gift, GiftTotals } from '@giftwire/sdk';
import { Button } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { giftwire } from '../../data/client.ts';
import { download } from '../../data/download.ts';
import { type Filters, useFilters } from '../../data/filters.ts';
import { useCan } from '../../data/me.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Fault } from '../../parts/fault.tsx';
import { Icon } from '../../parts/icon.tsx';
import { GoButton } from '../../parts/link.tsx';
import { Money } from '../../parts/money.tsx';
import { nameOf } from '../../parts/name.ts';
import { Page } from '../../parts/page.tsx';
import { useTurning } from '../../parts/pages.tsx';
import { StatePill } from '../../parts/state-pill.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Waiting } from '../../parts/waiting.tsx';
import { When } from '../../parts/when.tsx';
import { useFormats, useWords } from '../../words/words.tsx';
import { endOfSoon, GiftFilters, soon } from './filters.tsx';
import styles from './gifts.module.css';
import { GiftSelection } from './selection.tsx';
import { mailNote, standingOf } from './standing.ts';
import { sumOf } from './standings.ts';
import { Who } from './who.tsx';

const size = 25;

export default function Gifts() {
  const { gifts: words } = useWords();
  const [filters, change] = useFilters();
  const [fileError, setFileError] = useState<unknown>(null);
  const query = queryOf(filters);
  const saveFile = () => {
    setFileError(null);
    giftwire.gifts.csv({ ...query, bom: true }).then((file) => download('gifts.csv', file), setFileError);
  };
  return (
    <Page
      title={words.title}
      text={words.text}
      actions={
        <>
          <OrdersLink />
          <Button leftSection={<Icon name="download" />} onClick={saveFile}>
            {words.csv}
          </Button>
        </>
      }
    >
      <Fault error={fileError} />
      <GiftFilters filters={filters} change={change} />
      <GiftList key={JSON.stringify(query)} query={query} />
    </Page>
  );
}

/** Orders cover the whole workspace, so managers do not have them. */
function OrdersLink() {
  const { gifts } = useWords();
  const can = useCan();
  return can('orders:read') && can('gifts:manage') ? <GoButton to="/orders">{gifts.orders}</GoButton> : null;
}

type Query = Parameters<typeof giftwire.gifts.list>[0] & object;

/** The filters of the address, in the types of the interface. Others are passed on as they are: the interface names what is wrong. */
function queryOf({ state, delivery, search, from, to, requestId, member, expiresBefore }: Filters): Query {
  const end = expiresBefore === soon ? endOfSoon() : expiresBefore;
  const asked = { state, delivery, search, from, to, requestId, member: member && Number(member), expiresBefore: end };
  return Object.fromEntries(Object.entries(asked).filter(([, value]) => value)) as Query;
}

function GiftList({ query }: { query: Query }) {
  const { gifts: words } = useWords();
  const pages = useInfiniteQuery({
    queryKey: ['gifts', 'list', query],
    queryFn: ({ pageParam, signal }) =>
      giftwire.gifts.list({ ...query, size, ...(pageParam !== null && { after: pageParam }) }, { signal }),
    initialPageParam: null as number | null,
    getNextPageParam: ({ next }) => next,
  });
  const totals = useQuery({
    queryKey: ['gifts', 'totals', query],
    queryFn: ({ signal }) => giftwire.gifts.totals(query, { signal }),
  });
  const { rows, loaded, isEmpty, foot } = useTurning(pages, ({ gifts }) => gifts, {
    size,
    total: totals.data?.gifts,
    isMinimum: totals.data?.isMinimum,
    pieces: { text: words.searched, next: words.furtherBack },
  });
  if (pages.error) return <Fault error={pages.error} retry={() => void pages.refetch()} />;
  if (!pages.data) return <Waiting lines={8} />;
  return (
    <>
      {totals.data && !isEmpty && <Total totals={totals.data} />}
      <GiftTable gifts={rows} isEmpty={isEmpty} loaded={loaded} foot={foot} query={query} totals={totals.data} />
    </>
  );
}

/** How many gifts the list has, and what they are worth. */
function Total({ totals }: { totals: GiftTotals }) {
  const { gifts: words, parts } = useWords();
  const formats = useFormats();
  const gifts = totals.isMinimum ? parts.atLeast(words.count(totals.gifts)) : words.count(totals.gifts);
  const worth = sumOf(totals, ({ amount }) => amount, formats);
  const spent =
    totals.totals.some(({ redeemed }) => redeemed > 0) && sumOf(totals, ({ redeemed }) => redeemed, formats);
  return (
    <p className={styles.total}>
      <b>{gifts}</b> {words.worth(worth)}
      {spent && words.ofWhichSpent(spent)}
    </p>
  );
}

interface TableProps {
  gifts: readonly Gift[];
  isEmpty: boolean;
  /** The gifts of all pages that were read: a selection stays when one turns the page. */
  loaded: readonly Gift[];
  foot: React.ReactNode;
  query: Query;
  totals: GiftTotals | undefined;
}

function GiftTable({ gifts, isEmpty, loaded, foot, query, totals }: TableProps) {
  const { gifts: words } = useWords();
  const can = useCan();
  const columns = useGiftColumns();
  const [picked, setPicked] = useState<ReadonlySet<number>>(new Set());
  const selected = loaded.filter(({ id }) => picked.has(id));
  const selection = {
    has: ({ id }: Gift) => picked.has(id),
    set: (rows: readonly Gift[], isSelected: boolean) => {
      const next = new Set(picked);
      for (const { id } of rows) {
        if (isSelected) next.add(id);
        else next.delete(id);
      }
      setPicked(next);
    },
    nameOf: ({ recipient }: Gift) => nameOf(recipient),
  };
  const table = isEmpty ? (
    <NoGifts isFiltered={Object.keys(query).length > 0} />
  ) : (
    <Table
      label={words.list}
      columns={columns}
      rows={gifts}
      rowKey={({ id }) => id}
      foot={foot}
      {...(can('gifts:manage') && { selection })}
    />
  );
  return can('gifts:manage') ? (
    <GiftSelection selected={selected} query={query} totals={totals} onClear={() => setPicked(new Set())}>
      {table}
    </GiftSelection>
  ) : (
    table
  );
}

function useGiftColumns(): Column<Gift>[] {
  const { gifts: words } = useWords();
  const formats = useFormats();
  return [
    {
      key: 'recipient',
      head: words.recipient,
      cell: ({ id, recipient, address }) => (
        <Who name={nameOf(recipient)} to={`/gifts/${id}`} line={address ?? recipient.employeeNumber} />
      ),
    },
    {
      key: 'amount',
      head: words.amount,
      isNumber: true,
      cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
    },
    {
      key: 'state',
      head: words.state,
      cell: (gift) => (
        <span className={styles.state}>
          <StatePill state={standingOf(gift)} />
          <span className="quiet small">{mailNote(gift, words, formats)}</span>
        </span>
      ),
    },
    { key: 'sender', head: words.sender, isOptional: true, cell: ({ senderName }) => senderName },
    { key: 'ordered', head: words.ordered, isOptional: true, cell: ({ orderedAt }) => <When time={orderedAt} /> },
    {
      key: 'ends',
      head: words.ends,
      isOptional: true,
      cell: ({ expiresAt, state }) =>
        expiresAt && state === 'ISSUED' ? <span className="figure">{formats.day(expiresAt)}</span> : '–',
    },
  ];
}

function NoGifts({ isFiltered }: { isFiltered: boolean }) {
  const { gifts } = useWords();
  const can = useCan();
  const [, change] = useFilters();
  if (isFiltered)
    return (
      <Empty
        title={gifts.noneTitle}
        action={
          <Button
            onClick={() =>
              change({ search: null, state: null, delivery: null, from: null, to: null, member: null, requestId: null })
            }
          >
            {gifts.noneAction}
          </Button>
        }
      >
        {gifts.noneText}
      </Empty>
    );
  return (
    <Empty
      title={gifts.emptyTitle}
      action={
        can('orders:write') && (
          <GoButton to="/send" variant="filled">
            {gifts.emptyAction}
          </GoButton>
        )
      }
    >
      {gifts.emptyText}
    </Empty>
  );
}
