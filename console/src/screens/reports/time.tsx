import type { SeriesPoint, SeriesStep } from '@giftwire/sdk';
import { NativeSelect } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { giftwire } from '../../data/client.ts';
import { useFilters } from '../../data/filters.ts';
import { CsvButton } from '../../parts/csv-button.tsx';
import { Fault } from '../../parts/fault.tsx';
import { Lines } from '../../parts/lines.tsx';
import { Section } from '../../parts/page.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Waiting } from '../../parts/waiting.tsx';
import { useFormats, useWords } from '../../words/words.tsx';
import { SpanControls, useSpan } from './span.tsx';

const steps = ['day', 'week', 'month'] as const;

/** Gifts, shoutouts and amounts, step by step: two charts and their table. */
export function OverTime() {
  const { reports } = useWords();
  const { number, shortDay } = useFormats();
  const [filters, change] = useFilters();
  const { days: _, ...span } = useSpan();
  const by: SeriesStep = steps.find((one) => one === filters.by) ?? 'week';
  const query = { ...span, by };
  const { data, error, refetch } = useQuery({
    queryKey: ['reports', 'series', query],
    queryFn: ({ signal }) => giftwire.reports.series(query, { signal }),
    placeholderData: keepPreviousData,
  });
  const columns = useColumns();
  const points = data?.points ?? [];
  const names = points.map(({ from }) => shortDay(from));
  const currency = points.flatMap(({ amounts }) => amounts)[0]?.currency;
  return (
    <>
      <SpanControls>
        <NativeSelect
          label={reports.by}
          value={by}
          onChange={({ target }) => change({ by: target.value })}
          data={steps.map((one) => ({ value: one, label: reports[one] }))}
        />
      </SpanControls>
      <Fault error={error} retry={refetch} />
      {!data && !error && <Waiting lines={8} />}
      {data && (
        <>
          <Section title={reports.overTime}>
            <Lines
              label={reports.chart(reports.overTime, points.length)}
              steps={names}
              format={number}
              lines={[
                { name: reports.shoutouts, colour: '--c2', values: points.map(({ shoutouts }) => shoutouts) },
                { name: reports.gifts, colour: '--c1', values: points.map(({ gifts }) => gifts) },
              ]}
            />
          </Section>
          {currency && (
            <Section title={reports.valueOverTime(currency)}>
              <Lines
                label={reports.chart(reports.valueOverTime(currency), points.length)}
                steps={names}
                format={number}
                lines={[{ name: '', colour: '--c3', values: points.map((point) => sumIn(point, currency)) }]}
              />
            </Section>
          )}
          <Section
            title={reports[by]}
            beside={<CsvButton name={`recognition-by-${by}.csv`} read={() => giftwire.reports.seriesCsv(query)} />}
          >
            <Table label={reports.overTime} rows={points.toReversed()} rowKey={({ from }) => from} columns={columns} />
          </Section>
        </>
      )}
    </>
  );
}

function sumIn({ amounts }: SeriesPoint, currency: string): number {
  return amounts.find((one) => one.currency === currency)?.amount ?? 0;
}

function useColumns(): Column<SeriesPoint>[] {
  const { reports } = useWords();
  const { number, money, day, list } = useFormats();
  return [
    { key: 'from', head: reports.step, cell: ({ from }) => day(from) },
    { key: 'to', head: reports.stepTo, cell: ({ to }) => day(to), isOptional: true },
    { key: 'gifts', head: reports.gifts, isNumber: true, cell: ({ gifts }) => number(gifts) },
    { key: 'shoutouts', head: reports.shoutouts, isNumber: true, cell: ({ shoutouts }) => number(shoutouts) },
    {
      key: 'amounts',
      head: reports.amounts,
      isNumber: true,
      cell: ({ amounts }) => list(amounts.map(({ amount, currency }) => money(amount, currency))) || '–',
    },
  ];
}
