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
import { addDays, SpanControls, useSpan } from './span.tsx';

const steps = ['day', 'week', 'month'] as const;

/** Gifts, shoutouts and amounts, step by step: two charts and their table. */
export function OverTime() {
  const { reports } = useWords();
  const { number, money, shortMoney, shortDay } = useFormats();
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
  const drawn = wholeSteps(points, by);
  const names = drawn.map(({ from }) => shortDay(from));
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
              label={reports.chart(reports.overTime, drawn.length)}
              steps={names}
              format={number}
              lines={[
                { name: reports.shoutouts, colour: '--c2', values: drawn.map(({ shoutouts }) => shoutouts) },
                { name: reports.gifts, colour: '--c1', values: drawn.map(({ gifts }) => gifts) },
              ]}
            />
          </Section>
          {currency && (
            <Section title={reports.valueOverTime(currency)}>
              <Lines
                label={reports.chart(reports.valueOverTime(currency), drawn.length)}
                steps={names}
                format={(value) => money(value, currency, { whole: true })}
                axis={(value) => shortMoney(value, currency)}
                lines={[{ name: '', colour: '--c3', values: drawn.map((point) => sumIn(point, currency)) }]}
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

/** Without weeks and months that are cut by the span or still run, which would look like a fall; with them where hardly any other is left. */
function wholeSteps(points: readonly SeriesPoint[], by: SeriesStep): readonly SeriesPoint[] {
  const whole = points.filter(({ from, to }) => isWhole(from, to, by));
  return whole.length > 1 ? whole : points;
}

function isWhole(from: string, to: string, by: SeriesStep): boolean {
  if (by === 'day') return true;
  if (by === 'week') return addDays(from, 6) === to;
  return from.endsWith('-01') && addDays(to, 1).endsWith('-01');
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
