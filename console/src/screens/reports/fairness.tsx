import type { ManagerFairness } from '@giftwire/sdk';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { giftwire } from '../../data/client.ts';
import { useFilters } from '../../data/filters.ts';
import { ShareBar } from '../../parts/bars.tsx';
import { CsvButton } from '../../parts/csv-button.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Fault } from '../../parts/fault.tsx';
import { Section } from '../../parts/page.tsx';
import { ListPages } from '../../parts/pages.tsx';
import { PersonLink } from '../../parts/person-link.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Waiting } from '../../parts/waiting.tsx';
import type { Formats } from '../../words/formats.ts';
import { useFormats, useWords, type Words } from '../../words/words.tsx';
import { CustomFilter, customQuery } from '../people/custom-filter.tsx';
import { SpanControls, useSpan } from './span.tsx';

const size = 20;

/** Of each manager's people, how many were recognized: by anyone, and by the manager. */
export function Fairness() {
  const { reports } = useWords();
  const formats = useFormats();
  const [filters] = useFilters();
  const { days: _, ...span } = useSpan();
  const query = { ...span, ...customQuery(filters) };
  const page = Number(filters.page ?? 0);
  const { data, error, refetch } = useQuery({
    queryKey: ['reports', 'fairness', query, page],
    queryFn: ({ signal }) => giftwire.reports.fairness({ ...query, page, size }, { signal }),
    placeholderData: keepPreviousData,
  });
  if (data && data.totalElements === 0)
    return (
      <>
        <SpanControls>
          <CustomFilter />
        </SpanControls>
        <Empty title={reports.noManagers}>{reports.noManagersText}</Empty>
      </>
    );
  const company = data?.company;
  return (
    <>
      <SpanControls>
        <CustomFilter />
      </SpanControls>
      <Section
        title={reports.fairness}
        beside={<CsvButton name="fairness.csv" read={() => giftwire.reports.fairnessCsv(query)} />}
      >
        <p className="second" style={{ marginBottom: 14, maxWidth: '72ch' }}>
          {reports.fairnessText}{' '}
          {company &&
            company.share !== null &&
            reports.company(
              formats.percent(company.share),
              formats.number(company.recognized),
              formats.number(company.people),
            )}
        </p>
        <Fault error={error} retry={refetch} />
        {!data && !error && <Waiting lines={8} />}
        {data && (
          <Table
            label={reports.fairness}
            rows={data.managers}
            rowKey={({ manager }) => manager.id}
            columns={columnsOf(reports, formats, company?.share ?? null)}
            foot={<ListPages list={data} />}
          />
        )}
      </Section>
    </>
  );
}

function columnsOf(
  reports: Words['reports'],
  { number, percent }: Formats,
  company: number | null,
): Column<ManagerFairness>[] {
  return [
    { key: 'manager', head: reports.manager, cell: ({ manager }) => <PersonLink person={manager} /> },
    {
      key: 'share',
      head: reports.recognized,
      cell: ({ share, recognized, people }) => (
        <ShareBar
          share={share ?? 0}
          whole={company}
          figure={percent(share ?? 0)}
          counts={`${number(recognized)}/${number(people)}`}
        />
      ),
    },
    {
      key: 'byManager',
      head: reports.byManager,
      isNumber: true,
      cell: ({ recognizedByManager, people }) => `${number(recognizedByManager)}/${number(people)}`,
    },
    { key: 'gifts', head: reports.gifts, isNumber: true, isOptional: true, cell: ({ gifts }) => number(gifts) },
    {
      key: 'shoutouts',
      head: reports.shoutouts,
      isNumber: true,
      isOptional: true,
      cell: ({ shoutouts }) => number(shoutouts),
    },
  ];
}
