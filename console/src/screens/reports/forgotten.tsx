import type { NotRecognized, NotRecognizedQuery } from '@giftwire/sdk';
import { Checkbox, NativeSelect } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { giftwire } from '../../data/client.ts';
import { useFilters } from '../../data/filters.ts';
import { useCan } from '../../data/me.tsx';
import { CsvButton } from '../../parts/csv-button.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Fault } from '../../parts/fault.tsx';
import { GroupField } from '../../parts/group-field.tsx';
import { Go, GoButton } from '../../parts/link.tsx';
import { nameOf } from '../../parts/name.ts';
import { Section } from '../../parts/page.tsx';
import { ListPages } from '../../parts/pages.tsx';
import { PersonField } from '../../parts/person-field.tsx';
import { PersonLink } from '../../parts/person-link.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Waiting } from '../../parts/waiting.tsx';
import { useFormats, useWords } from '../../words/words.tsx';
import { CustomFilter, customQuery } from '../people/custom-filter.tsx';
import { SpanControls, useSpan, useSpanName } from './span.tsx';

const dimensions = ['department', 'team', 'location', 'costCentre', 'manager'] as const;
type Dimension = (typeof dimensions)[number];
const size = 20;

/** Who was never or not lately recognized, with what puts it right. */
export function Forgotten() {
  const { reports } = useWords();
  const { number } = useFormats();
  const [filters, change] = useFilters();
  const { from, asOf } = useSpan();
  const spanName = useSpanName();
  const chosen = dimensions.find((one) => filters[one] !== undefined);
  const query: NotRecognizedQuery = {
    since: from,
    ...(asOf && { asOf }),
    ...(filters.never && { never: true }),
    ...(chosen && { [chosen]: filters[chosen] }),
    ...customQuery(filters),
  };
  const page = Number(filters.page ?? 0);
  const { data, error, refetch } = useQuery({
    queryKey: ['reports', 'forgotten', query, page],
    queryFn: ({ signal }) => giftwire.reports.notRecognized({ ...query, page, size }, { signal }),
    placeholderData: keepPreviousData,
  });
  const columns = useColumns();
  return (
    <>
      <SpanControls>
        <GroupFilter chosen={chosen} />
        <CustomFilter />
        <Checkbox
          label={reports.onlyNever}
          checked={filters.never !== undefined}
          onChange={({ target }) => change({ never: target.checked ? 'true' : null })}
          pb={8}
        />
      </SpanControls>
      <Fault error={error} retry={refetch} />
      {!data && !error && <Waiting lines={8} />}
      {data && data.totalElements === 0 && <Empty title={reports.nobodyForgotten}>{reports.nobodyForgottenText}</Empty>}
      {data && data.totalElements > 0 && (
        <Section
          title={reports.forgottenCount(data.totalElements, number(data.totalElements), spanName)}
          beside={<CsvButton name="not-recognized.csv" read={() => giftwire.reports.notRecognizedCsv(query)} />}
        >
          <Table
            label={reports.forgotten}
            rows={data.members}
            rowKey={({ member }) => member.id}
            columns={columns}
            foot={<ListPages list={data} />}
          />
        </Section>
      )}
    </>
  );
}

/** One group at a time: first by what, then which. */
function GroupFilter({ chosen }: { chosen: Dimension | undefined }) {
  const { reports } = useWords();
  const [filters, change] = useFilters();
  const by = chosen ?? dimensions.find((one) => one === filters.by) ?? 'department';
  const clear = Object.fromEntries(dimensions.map((one) => [one, null]));
  const choose = (value: string | null) => change({ ...clear, [by]: value, by });
  return (
    <>
      <NativeSelect
        label={reports.by}
        value={by}
        onChange={({ target }) => change({ ...clear, by: target.value })}
        data={dimensions.map((one) => ({ value: one, label: reports[one] }))}
      />
      {by === 'manager' ? (
        <ManagerFilter id={filters.manager} onChange={choose} />
      ) : (
        <GroupField
          key={by}
          by={by}
          label={reports[by]}
          placeholder={reports.allPeople}
          value={filters[by]}
          onChange={choose}
        />
      )}
    </>
  );
}

/** A large company has more managers than a list can show: one is found by name. */
function ManagerFilter({ id, onChange }: { id: string | undefined; onChange: (id: string | null) => void }) {
  const { reports } = useWords();
  const { data } = useQuery({
    queryKey: ['people', 'one', id],
    queryFn: ({ signal }) => giftwire.members.retrieve(Number(id), { signal }),
    enabled: id !== undefined,
  });
  const chosen = id !== undefined && data ? { id: data.id, name: nameOf(data) } : null;
  return (
    <PersonField
      // The field keeps what was typed, so it starts again with the name once that is known.
      key={chosen?.id}
      label={reports.manager}
      value={chosen}
      onChange={(person) => onChange(person && String(person.id))}
    />
  );
}

function useColumns(): Column<NotRecognized>[] {
  const { reports, parts } = useWords();
  const { day } = useFormats();
  const can = useCan();
  return [
    { key: 'person', head: reports.person, cell: ({ member }) => <PersonLink person={member} /> },
    {
      key: 'last',
      head: reports.last,
      cell: ({ lastRecognizedOn, type }) =>
        lastRecognizedOn === null ? (
          <b>{reports.never}</b>
        ) : (
          <span>
            {day(lastRecognizedOn)}{' '}
            <span className="quiet">{type === 'GIFT' ? reports.lastGift : reports.lastShoutout}</span>
          </span>
        ),
    },
    { key: 'department', head: reports.department, cell: ({ department }) => department ?? '–' },
    { key: 'team', head: reports.team, isOptional: true, cell: ({ team }) => team },
    {
      key: 'manager',
      head: reports.manager,
      isOptional: true,
      cell: ({ manager }) =>
        manager ? <Go to={`/people/${manager.id}`}>{`${manager.firstName} ${manager.lastName}`.trim()}</Go> : '–',
    },
    ...(can('recognition:write')
      ? [
          {
            key: 'thank',
            head: reports.thank,
            hidesHead: true,
            isNumber: true,
            cell: ({ member }: NotRecognized) => (
              <GoButton
                to="/recognition"
                search={{ view: 'give', to: String(member.id) } as never}
                size="compact-sm"
                aria-label={`${reports.thank}${parts.colon}${member.firstName} ${member.lastName}`}
              >
                {reports.thank}
              </GoButton>
            ),
          },
        ]
      : []),
  ];
}
