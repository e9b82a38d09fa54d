import type { Member, MemberPage, MemberQuery } from '@giftwire/sdk';
import { Button, Checkbox } from '@mantine/core';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { giftwire } from '../../data/client.ts';
import { type Filters, useFilters } from '../../data/filters.ts';
import { useCan } from '../../data/me.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Fault } from '../../parts/fault.tsx';
import { GroupField } from '../../parts/group-field.tsx';
import { GoButton } from '../../parts/link.tsx';
import { nameOf } from '../../parts/name.ts';
import { Page } from '../../parts/page.tsx';
import { ListPages } from '../../parts/pages.tsx';
import { Pill } from '../../parts/state-pill.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { tell } from '../../parts/tell.tsx';
import { Waiting } from '../../parts/waiting.tsx';
import { useFormats, useWords } from '../../words/words.tsx';
import { SearchField } from '../gifts/filters.tsx';
import styles from '../gifts/gifts.module.css';
import { Who } from '../gifts/who.tsx';
import { CustomFilter, customFilters, customQuery } from './custom-filter.tsx';
import { EditPerson } from './edit.tsx';
import { PeopleSelection } from './selection.tsx';

const size = 25;

export default function People() {
  const { people: words, screens } = useWords();
  const can = useCan();
  const queries = useQueryClient();
  const [filters] = useFilters();
  const [isAdding, setAdding] = useState(false);
  const query = queryOf(filters);
  const page = useQuery({
    queryKey: ['people', 'list', query],
    queryFn: ({ signal }) => giftwire.members.list(query, { signal }),
    placeholderData: keepPreviousData,
  });
  const totalOf = ({ totalElements, totalIsMinimum }: MemberPage) =>
    totalIsMinimum ? words.atLeast(totalElements) : words.total(totalElements);
  return (
    <Page
      title={words.title}
      text={page.data && totalOf(page.data)}
      actions={
        can('directory:write') && (
          <>
            {can('people:erase') && (
              <GoButton to="/people/erasures" variant="subtle">
                {screens.erasures}
              </GoButton>
            )}
            <GoButton to="/people/import">{words.import}</GoButton>
            <Button onClick={() => setAdding(true)}>{words.add}</Button>
          </>
        )
      }
    >
      <PeopleFilters />
      {page.error ? (
        <Fault error={page.error} retry={() => void page.refetch()} />
      ) : page.data ? (
        <PeopleTable {...page.data} />
      ) : (
        <Waiting lines={8} />
      )}
      <EditPerson
        member={null}
        isOpen={isAdding}
        onClose={() => setAdding(false)}
        onSaved={(member) => {
          tell(words.added(nameOf(member)));
          void queries.invalidateQueries({ queryKey: ['people'] });
        }}
      />
    </Page>
  );
}

const filterNames = ['search', 'department', 'location', 'manager', ...customFilters, 'includeInactive'] as const;

function queryOf(filters: Filters): MemberQuery {
  const { search, department, location, manager, includeInactive, page } = filters;
  const texts = Object.fromEntries(
    Object.entries({ search, department, location, manager }).filter(([, value]) => value),
  );
  return {
    ...texts,
    ...customQuery(filters),
    includeInactive: includeInactive === 'true',
    page: Number(page ?? 0),
    size,
  };
}

function PeopleFilters() {
  const { people: words } = useWords();
  const [filters, change] = useFilters();
  return (
    <search className={styles.filters}>
      <SearchField
        label={words.search}
        hint={words.searchHint}
        value={filters.search ?? ''}
        onChange={(search) => change({ search })}
      />
      {(['department', 'location'] as const).map((name) => (
        <GroupField
          key={name}
          by={name}
          w={{ base: '100%', sm: 180 }}
          aria-label={words[name]}
          placeholder={words[name]}
          data-set={filters[name] ? true : undefined}
          value={filters[name]}
          onChange={(value) => change({ [name]: value })}
        />
      ))}
      <CustomFilter />
      <Checkbox
        label={words.withLeavers}
        checked={filters.includeInactive === 'true'}
        onChange={({ target }) => change({ includeInactive: target.checked ? 'true' : null })}
      />
      {filterNames.some((name) => filters[name]) && (
        <Button variant="subtle" onClick={() => change(Object.fromEntries(filterNames.map((name) => [name, null])))}>
          {words.clear}
        </Button>
      )}
    </search>
  );
}

function PeopleTable(page: MemberPage) {
  const { people: words } = useWords();
  const [filters] = useFilters();
  const columns = usePeopleColumns();
  if (page.members.length === 0)
    return filterNames.some((name) => filters[name]) ? (
      <Empty title={words.noneTitle}>{words.noneText}</Empty>
    ) : (
      <Empty title={words.emptyTitle} action={<EmptyAction />}>
        {words.emptyText}
      </Empty>
    );
  return (
    <PeopleSelection>
      {(selection) => (
        <Table
          label={words.list}
          columns={columns}
          rows={page.members}
          rowKey={({ id }) => id}
          foot={<ListPages list={page} />}
          {...selection}
        />
      )}
    </PeopleSelection>
  );
}

function EmptyAction() {
  const { people: words } = useWords();
  return useCan()('directory:write') ? (
    <GoButton to="/people/import" variant="filled">
      {words.import}
    </GoButton>
  ) : null;
}

function usePeopleColumns(): Column<Member>[] {
  const { people: words } = useWords();
  const formats = useFormats();
  const can = useCan();
  const last = ({ lastRecognizedBy, lastRecognizedOn }: Member) =>
    lastRecognizedBy && lastRecognizedOn
      ? `${words.kinds[lastRecognizedBy]}, ${formats.day(lastRecognizedOn)}`
      : words.never;
  return [
    {
      key: 'person',
      head: words.person,
      cell: (member) => <Who name={nameOf(member)} to={`/people/${member.id}`} line={member.email} />,
    },
    { key: 'department', head: words.department, isOptional: true, cell: ({ department }) => department ?? '–' },
    { key: 'team', head: words.team, isOptional: true, cell: ({ team }) => team.name },
    {
      key: 'manager',
      head: words.manager,
      isOptional: true,
      cell: ({ manager }) => (manager ? nameOf({ ...manager, employeeNumber: null }) : '–'),
    },
    {
      key: 'last',
      head: words.lastRecognized,
      cell: (member) =>
        member.active ? (
          <span className={member.lastRecognizedOn ? 'figure' : 'quiet'}>{last(member)}</span>
        ) : (
          <Pill tone="neutral">{words.left}</Pill>
        ),
    },
    ...(can('orders:write')
      ? [
          {
            key: 'send',
            head: words.sendGift,
            hidesHead: true,
            isNumber: true,
            isOptional: true,
            cell: (member: Member) =>
              member.active && (
                <GoButton
                  to="/send"
                  search={{ to: String(member.id) } as never}
                  size="compact-sm"
                  aria-label={words.sendGiftTo(nameOf(member))}
                >
                  {words.sendGift}
                </GoButton>
              ),
          },
        ]
      : []),
  ];
}
