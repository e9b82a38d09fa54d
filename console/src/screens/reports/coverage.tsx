import type { CoverageGroup, CoverageGrouping, CoverageQuery } from '@giftwire/sdk';
import { NativeSelect } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { giftwire } from '../../data/client.ts';
import { useFilters } from '../../data/filters.ts';
import { useHere } from '../../data/me.tsx';
import { Bars } from '../../parts/bars.tsx';
import { CsvButton } from '../../parts/csv-button.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Fault } from '../../parts/fault.tsx';
import { Go } from '../../parts/link.tsx';
import { Section } from '../../parts/page.tsx';
import { ListPages } from '../../parts/pages.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Waiting } from '../../parts/waiting.tsx';
import type { Formats } from '../../words/formats.ts';
import { useFormats, useWords, type Words } from '../../words/words.tsx';
import { CustomFilter, customQuery } from '../people/custom-filter.tsx';
import { SpanControls, useSpan } from './span.tsx';

const groupings = ['department', 'team', 'location', 'manager', 'costCentre', 'month'] as const;
const sorts = ['share', 'people', 'name'] as const;
const size = 20;

/** How many people of each group were recognized: bars and their table. */
export function Coverage() {
  const { home, reports } = useWords();
  // A manager's report covers their own people alone.
  const isManager = useHere().workspace.seesReportsOnly;
  const formats = useFormats();
  const [filters, change] = useFilters();
  const { days: _, ...span } = useSpan();
  const by = groupings.find((one) => one === filters.by) ?? 'department';
  const sort = sorts.find((one) => one === filters.sort) ?? 'share';
  const query: CoverageQuery = { ...span, ...customQuery(filters), by, sort };
  const page = Number(filters.page ?? 0);
  const { data, error, refetch } = useQuery({
    queryKey: ['reports', 'coverage', query, page],
    queryFn: ({ signal }) => giftwire.reports.coverage({ ...query, page, size }, { signal }),
    placeholderData: keepPreviousData,
  });
  const share = data?.company.share ?? null;
  const nameOf = ({ name }: CoverageGroup) =>
    by === 'month' && name ? formats.monthOfYear(`${name}-01`) : (name ?? reports.none[by]);
  return (
    <>
      <SpanControls>
        <NativeSelect
          label={reports.by}
          value={by}
          onChange={({ target }) => change({ by: target.value })}
          data={groupings.map((one) => ({ value: one, label: reports[one] }))}
        />
        {by !== 'month' && (
          <NativeSelect
            label={reports.sort}
            value={sort}
            onChange={({ target }) => change({ sort: target.value })}
            data={sorts.map((one) => ({ value: one, label: reports.sorts[one] }))}
          />
        )}
        <CustomFilter />
      </SpanControls>
      <Fault error={error} retry={refetch} />
      {!data && !error && <Waiting lines={8} />}
      {data && data.groups.length === 0 && <Empty title={reports.noGroups}>{reports.noGroupsText}</Empty>}
      {data && data.groups.length > 0 && (
        <Section
          title={reports.coverageOf(reports[by])}
          beside={
            <>
              {share !== null && `┆ ${(isManager ? home.yourPeople : reports.companyShort)(formats.percent(share))}`}
              <CsvButton name={`coverage-by-${by}.csv`} read={() => giftwire.reports.coverageCsv(query)} />
            </>
          }
        >
          <div style={{ maxWidth: 720, marginBottom: 24 }}>
            <Bars
              label={reports.coverageOf(reports[by])}
              whole={share}
              bars={data.groups.map((group) => ({
                key: `${group.id} ${group.name}`,
                name: nameOf(group),
                share: group.share ?? 0,
                figure: formats.percent(group.share ?? 0),
                counts: `${formats.number(group.recognized)}/${formats.number(group.people)}`,
              }))}
            />
          </div>
          <Table
            label={reports.coverageOf(reports[by])}
            rows={data.groups}
            rowKey={({ id, name }) => `${id} ${name}`}
            columns={columnsOf(reports, formats, by, nameOf)}
            foot={<ListPages list={data} />}
          />
        </Section>
      )}
    </>
  );
}

function columnsOf(
  reports: Words['reports'],
  { number, percent }: Formats,
  by: CoverageGrouping,
  nameOf: (group: CoverageGroup) => string,
): Column<CoverageGroup>[] {
  const figure = (key: 'people' | 'recognized' | 'gifts' | 'shoutouts', isOptional = false): Column<CoverageGroup> => ({
    key,
    head: reports[key],
    isNumber: true,
    isOptional,
    cell: (group) => number(group[key]),
  });
  return [
    { key: 'name', head: reports[by], cell: (group) => <GroupName by={by} group={group} name={nameOf(group)} /> },
    figure('people'),
    figure('recognized'),
    { key: 'share', head: reports.share, isNumber: true, cell: ({ share }) => (share === null ? '–' : percent(share)) },
    figure('gifts', true),
    figure('shoutouts', true),
  ];
}

/** Links to the people of the group who were not recognized, in the same span. */
function GroupName({ by, group, name }: { by: CoverageGrouping; group: CoverageGroup; name: string }) {
  const [{ days, asOf }] = useFilters();
  const value = by === 'manager' ? group.id : group.name;
  if (by === 'month' || value === null || group.recognized === group.people) return name;
  const search = { view: 'forgotten', [by]: String(value), ...(days && { days }), ...(asOf && { asOf }) };
  return (
    <Go to="/reports" search={search as never}>
      {name}
    </Go>
  );
}
