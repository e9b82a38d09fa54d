import type { Budget, LedgerEntry } from '@giftwire/sdk';
import { Button, Modal, Stack, UnstyledButton } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { giftwire } from '../../data/client.ts';
import { useFilters } from '../../data/filters.ts';
import { useCan } from '../../data/me.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Fault } from '../../parts/fault.tsx';
import { Go } from '../../parts/link.tsx';
import { ListPages } from '../../parts/pages.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Waiting } from '../../parts/waiting.tsx';
import { When } from '../../parts/when.tsx';
import { useFormats, useWords } from '../../words/words.tsx';
import styles from './money.module.css';

const size = 25;

/** The entries of a budget, by page. The page and the entry that is open are part of the address. */
export function Entries({ budget }: { budget: Budget }) {
  const { money: words } = useWords();
  const [filters, change] = useFilters();
  const page = Number(filters.page ?? 0);
  const entries = useQuery({
    queryKey: ['budgets', 'entries', budget.id, page],
    queryFn: ({ signal }) => giftwire.budgets.entries(budget.id, { page, size }, { signal }),
    placeholderData: keepPreviousData,
  });
  const columns = useEntryColumns(budget, (number) => change({ page: String(page), entry: String(number) }));
  const { data, error } = entries;
  if (error) return <Fault error={error} retry={() => void entries.refetch()} />;
  if (!data) return <Waiting lines={6} />;
  if (data.totalElements === 0) return <Empty title={words.noEntries}>{words.noEntriesText}</Empty>;
  return (
    <div className={styles.entries}>
      <Table
        label={words.entries}
        columns={columns}
        rows={data.entries}
        rowKey={({ number }) => number}
        foot={<ListPages list={data} />}
      />
      <EntryDialog
        budgetId={budget.id}
        number={filters.entry === undefined ? null : Number(filters.entry)}
        onClose={() => change({ page: filters.page ?? null, entry: null })}
      />
    </div>
  );
}

function useEntryColumns({ currency, kind }: Budget, open: (number: number) => void): Column<LedgerEntry>[] {
  const { money: words } = useWords();
  const { money, number } = useFormats();
  return [
    {
      key: 'what',
      head: words.what,
      cell: ({ type, note, number: entry }) => (
        <span>
          <UnstyledButton className={styles.open} onClick={() => open(entry)}>
            {words.types[type] ?? type}
          </UnstyledButton>
          {note && <div className="quiet small">{note}</div>}
        </span>
      ),
    },
    {
      key: 'amount',
      head: words.amount,
      isNumber: true,
      cell: ({ amount, source, target }) => {
        const sign = kind === 'UNLIMITED' ? '' : target === 'available' ? '+' : source === 'available' ? '−' : '';
        return (
          <span className={`figure ${styles.moved}`} data-sign={sign || undefined}>
            {sign}
            {money(amount, currency)}
          </span>
        );
      },
    },
    {
      key: 'about',
      head: words.about,
      isOptional: true,
      cell: ({ lines }) => (lines === 0 ? '–' : words.lines(lines)),
    },
    { key: 'when', head: words.when, cell: ({ at }) => <When time={at} /> },
    {
      key: 'hash',
      head: words.hash,
      isOptional: true,
      cell: ({ hash }) => (
        <code className={styles.hash} title={hash}>
          {hash.slice(0, 10)}…
        </code>
      ),
    },
    { key: 'number', head: words.number, isNumber: true, cell: ({ number: entry }) => number(entry) },
  ];
}

interface EntryDialogProps {
  budgetId: number;
  number: number | null;
  onClose: () => void;
}

const shownLines = 20;

/** One entry with the orders that it is about, and the text that its hash is made of. */
function EntryDialog({ budgetId, number, onClose }: EntryDialogProps) {
  const { money: words, orders, parts } = useWords();
  const formats = useFormats();
  const canReadOrders = useCan()('orders:read');
  const { data, error } = useQuery({
    queryKey: ['budgets', 'entry', budgetId, number],
    queryFn: ({ signal }) => giftwire.budgets.entry(budgetId, number as number, { signal }),
    enabled: number !== null,
  });
  useEffect(() => {
    if (number !== null && !Number.isSafeInteger(number)) onClose();
  }, [number, onClose]);
  const rest = (data?.orders.length ?? 0) - shownLines;
  return (
    <Modal
      opened={number !== null}
      onClose={onClose}
      size="lg"
      title={<b>{words.details(formats.number(number ?? 0))}</b>}
      withCloseButton={false}
    >
      <Stack gap={12}>
        <Fault error={error} />
        {!data && !error && <Waiting />}
        {data && (
          <>
            <p>
              <b>{words.types[data.type] ?? data.type}</b>, <When time={data.at} />
            </p>
            {data.orders.length > 0 && (
              <ul className={styles.lines}>
                {data.orders.slice(0, shownLines).map(({ requestId, position, amount }) => (
                  <li key={`${requestId} ${position}`}>
                    {canReadOrders ? (
                      <Go to={`/orders/${requestId}`}>{orders.name(requestId.slice(0, 8))}</Go>
                    ) : (
                      orders.name(requestId.slice(0, 8))
                    )}
                    <span className="figure">{formats.number(amount)}</span>
                  </li>
                ))}
                {rest > 0 && <li className="quiet">{words.moreLines(rest)}</li>}
              </ul>
            )}
            <p className="second small">{words.detailsText}</p>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keyboard */}
            <code className={`raw ${styles.text}`} tabIndex={0}>
              {data.text}
            </code>
            <code className="raw">{data.hash}</code>
          </>
        )}
        <Button onClick={onClose}>{parts.close}</Button>
      </Stack>
    </Modal>
  );
}
