import type { TaxLine } from '@giftwire/sdk';
import { Button, Group, Select } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { giftwire } from '../../data/client.ts';
import { useFilters } from '../../data/filters.ts';
import { CsvButton } from '../../parts/csv-button.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Fault } from '../../parts/fault.tsx';
import { Go } from '../../parts/link.tsx';
import { Money } from '../../parts/money.tsx';
import { nameOf } from '../../parts/name.ts';
import { Page } from '../../parts/page.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Waiting } from '../../parts/waiting.tsx';
import { useFormats, useWords } from '../../words/words.tsx';

const size = 50;
const yearsBack = 7;

/** Every gift of a year with person, reason, type and amount, as employers are asked to keep it. */
export default function TaxLog() {
  const { screens, spending: words } = useWords();
  const [filters, change] = useFilters();
  const current = new Date().getFullYear();
  const year = Number(filters.year ?? current);
  const years = Array.from({ length: yearsBack }, (_, back) => String(current - back));
  return (
    <Page title={screens.taxLog} text={words.taxLogText}>
      <Group justify="space-between" gap="8px 16px" mb={16}>
        <Select
          aria-label={words.year}
          w={120}
          data={[...new Set([String(year), ...years])].sort().reverse()}
          allowDeselect={false}
          value={String(year)}
          onChange={(value) => change({ year: value === String(current) ? null : value })}
        />
        <CsvButton name={`tax-log-${year}.csv`} read={() => giftwire.reports.taxLogCsv({ year, bom: true })} />
      </Group>
      <Lines year={year} />
    </Page>
  );
}

function Lines({ year }: { year: number }) {
  const { screens, spending: words } = useWords();
  const { day } = useFormats();
  const pages = useInfiniteQuery({
    queryKey: ['redemptions', 'tax log', year],
    queryFn: ({ pageParam, signal }) =>
      giftwire.reports.taxLog({ year, size, ...(pageParam && { after: pageParam }) }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  });
  if (pages.error) return <Fault error={pages.error} retry={() => void pages.refetch()} />;
  if (!pages.data) return <Waiting lines={8} />;
  const lines = pages.data.pages.flatMap((page) => page.lines);
  if (lines.length === 0) return <Empty title={words.noTaxLines(String(year))}>{words.noTaxLinesText}</Empty>;
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
      cell: ({ spendingOptionName, retailer }) => [spendingOptionName, retailer].filter(Boolean).join(', ') || '–',
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
      rows={lines}
      rowKey={({ giftId, redemptionId }) => `${giftId} ${redemptionId}`}
      foot={
        pages.hasNextPage && (
          <Button size="compact-sm" loading={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
            {words.more}
          </Button>
        )
      }
    />
  );
}
