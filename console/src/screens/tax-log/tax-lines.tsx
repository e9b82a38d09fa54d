import type { TaxLine } from '@giftwire/sdk';
import { useInfiniteQuery } from '@tanstack/react-query';
import { giftwire } from '../../data/client.ts';
import { Empty } from '../../parts/empty.tsx';
import { Fault } from '../../parts/fault.tsx';
import { Go } from '../../parts/link.tsx';
import { Money } from '../../parts/money.tsx';
import { nameOf } from '../../parts/name.ts';
import { useTurning } from '../../parts/pages.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Waiting } from '../../parts/waiting.tsx';
import { useFormats, useWords } from '../../words/words.tsx';

const size = 50;
/** Every gift of a year with person, reason, type and amount, as employers are asked to keep it. */
export function TaxLines({ year }: { year: number }) {
  const { screens, spending: words } = useWords();
  const { day } = useFormats();
  const pages = useInfiniteQuery({
    queryKey: ['redemptions', 'tax log', year],
    queryFn: ({ pageParam, signal }) =>
      giftwire.reports.taxLog({ year, size, ...(pageParam && { after: pageParam }) }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  });
  const { rows, isEmpty, foot } = useTurning(pages, ({ lines }) => lines, { size });
  if (pages.error) return <Fault error={pages.error} retry={() => void pages.refetch()} />;
  if (!pages.data) return <Waiting lines={8} />;
  if (isEmpty) return <Empty title={words.noTaxLines(String(year))}>{words.noTaxLinesText}</Empty>;
  const columns: Column<TaxLine>[] = [
    {
      key: 'who',
      head: words.who,
      cell: (line) => (
        <span>
          <Go to={`/gifts/${line.giftId}`}>{nameOf(line, `${line.memberId}`)}</Go>{' '}
          {line.employeeNumber && <span className="quiet small">{line.employeeNumber}</span>}
        </span>
      ),
    },
    { key: 'date', head: words.date, cell: ({ date }) => day(date) },
    { key: 'reason', head: words.reason, isOptional: true, cell: ({ reason }) => reason },
    {
      key: 'type',
      head: words.taxKind,
      cell: ({ type }) => (type === 'UNSPENT' ? words.unspent : words.taxTypes[type]),
    },
    {
      key: 'how',
      head: words.option,
      isOptional: true,
      cell: ({ spendingOptionName, retailer }) =>
        [...new Set([spendingOptionName, retailer])].filter(Boolean).join(', ') || '–',
    },
    {
      key: 'amount',
      head: words.amount,
      isNumber: true,
      cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
    },
  ];
  return (
    <Table
      label={screens.taxLog}
      columns={columns}
      rows={rows}
      rowKey={({ giftId, redemptionId }) => `${giftId} ${redemptionId}`}
      foot={foot}
    />
  );
}
