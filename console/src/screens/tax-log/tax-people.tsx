import type { TaxPerson, TaxTotalsPage, TaxTotalsQuery } from '@giftwire/sdk';
import { Button, SegmentedControl } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { giftwire } from '../../data/client.ts';
import { useFilters } from '../../data/filters.ts';
import { Empty } from '../../parts/empty.tsx';
import { Fault } from '../../parts/fault.tsx';
import { nameOf } from '../../parts/name.ts';
import { ListPages } from '../../parts/pages.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Waiting } from '../../parts/waiting.tsx';
import { useFormats, useWords } from '../../words/words.tsx';
import { SearchField } from '../gifts/filters.tsx';
import { Who } from '../gifts/who.tsx';
import { TaxFigures } from './tax-figures.tsx';
import { TaxLimitHint, TaxLimitsDialog } from './tax-limits.tsx';
import styles from './tax-log.module.css';

const size = 25;
const all = 'ALL';
type Show = NonNullable<TaxTotalsQuery['show']>;

/** A line for each person and currency, the largest sum of a currency first, and how it compares with the limit. */
export function TaxPeople({ year }: { year: number }) {
  const { spending } = useWords();
  const [filters] = useFilters();
  const [isLimiting, setLimiting] = useState(false);
  const page = Number(filters.page ?? 0);
  const show = filters.show as Show | undefined;
  const { search } = filters;
  const query = { year, page, size, ...(show && { show }), ...(search && { search }) };
  const totals = useQuery({
    queryKey: ['redemptions', 'tax totals', query],
    queryFn: ({ signal }) => giftwire.reports.taxTotals(query, { signal }),
    placeholderData: keepPreviousData,
  });
  if (totals.error) return <Fault error={totals.error} retry={() => void totals.refetch()} />;
  if (!totals.data) return <Waiting lines={8} />;
  if (totals.data.sums.length === 0)
    return <Empty title={spending.noTaxLines(String(year))}>{spending.noTaxLinesText}</Empty>;
  return (
    <>
      {totals.data.sums.map((sum) => (
        <TaxFigures key={sum.currency} sum={sum} onChangeLimit={() => setLimiting(true)} />
      ))}
      <TaxLimitHint sums={totals.data.sums} onSet={() => setLimiting(true)} />
      {isLimiting && <TaxLimitsDialog sums={totals.data.sums} onClose={() => setLimiting(false)} />}
      <TaxFilters totals={totals.data} />
      <PeopleTable totals={totals.data} foot={totals.data.totalElements > size && <ListPages list={totals.data} />} />
    </>
  );
}

function TaxFilters({ totals }: { totals: TaxTotalsPage }) {
  const { tax: words } = useWords();
  const { number } = useFormats();
  const [filters, change] = useFilters();
  const sum = (of: 'over' | 'near') => number(totals.sums.reduce((count, one) => count + one[of], 0));
  const hasLimit = totals.sums.some(({ limit }) => limit !== null);
  return (
    <search className={styles.filters}>
      <SearchField
        label={words.find}
        hint={words.findHint}
        value={filters.search ?? ''}
        onChange={(search) => change({ search })}
      />
      {hasLimit && (
        <SegmentedControl
          aria-label={words.filter}
          value={filters.show ?? all}
          data={[
            { value: all, label: words.everybody },
            { value: 'OVER', label: words.over(sum('over')) },
            { value: 'NEAR', label: words.near(sum('near')) },
          ]}
          onChange={(value) => change({ show: value === all ? null : value })}
        />
      )}
    </search>
  );
}

function PeopleTable({ totals, foot }: { totals: TaxTotalsPage; foot: React.ReactNode }) {
  const { screens, tax: words } = useWords();
  const [, change] = useFilters();
  const columns = useColumns(totals);
  if (totals.people.length === 0)
    return (
      <Empty
        title={words.noneFound}
        action={<Button onClick={() => change({ show: null, search: null })}>{words.clear}</Button>}
      >
        {words.noneFoundText}
      </Empty>
    );
  return (
    <Table
      label={screens.taxLog}
      columns={columns}
      rows={totals.people}
      rowKey={({ memberId, currency }) => `${memberId} ${currency}`}
      foot={foot}
    />
  );
}

function useColumns({ sums }: TaxTotalsPage): Column<TaxPerson>[] {
  const { tax: words } = useWords();
  const { money, number } = useFormats();
  /** Without amounts in this year, there is no column. */
  const amount = (key: 'cash' | 'nearCash' | 'nonCash' | 'unspent', head: string): Column<TaxPerson>[] =>
    sums.every((sum) => sum[key] === 0)
      ? []
      : [
          {
            key,
            head,
            isNumber: true,
            isOptional: true,
            cell: (person) =>
              person[key] === 0 ? '–' : <span className="figure">{money(person[key], person.currency)}</span>,
          },
        ];
  const standing: Column<TaxPerson> = {
    key: 'limit',
    head: words.beside,
    cell: (person) => <Standing person={person} />,
  };
  return [
    {
      key: 'person',
      head: words.person,
      cell: (person) => (
        <Who
          name={nameOf({ ...person, email: null }, `${person.memberId}`)}
          to={`/people/${person.memberId}`}
          line={[person.employeeNumber, person.department].filter(Boolean).join(', ')}
        />
      ),
    },
    { key: 'gifts', head: words.gifts, isNumber: true, cell: ({ gifts }) => number(gifts) },
    ...amount('cash', words.salary),
    ...amount('nearCash', words.nearCash),
    ...amount('nonCash', words.goods),
    ...amount('unspent', words.unspent),
    {
      key: 'total',
      head: words.total,
      isNumber: true,
      cell: ({ total, currency }) => <b className="figure">{money(total, currency)}</b>,
    },
    ...(sums.some(({ limit }) => limit !== null) ? [standing] : []),
  ];
}

/** How much of the limit it is, as a bar with a mark at the limit, and in words. */
function Standing({ person }: { person: TaxPerson }) {
  const { tax: words } = useWords();
  const { money } = useFormats();
  const { total, limit, currency, standing } = person;
  if (limit === null) return '–';
  const rest = limit - total;
  return (
    <span className={styles.standing} data-standing={standing ?? undefined}>
      <span className={styles.track} aria-hidden="true">
        <i style={{ width: `${Math.min(100, (100 * total) / (limit * marked))}%` }} />
        <s style={{ left: `${100 / marked}%` }} />
      </span>
      <span className="small">
        {rest < 0 ? words.overBy(money(-rest, currency)) : words.left(money(rest, currency))}
      </span>
    </span>
  );
}

/** The bar is longer than the limit by this factor, so that what is over it shows. */
const marked = 1.3;
