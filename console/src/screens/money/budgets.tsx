import type { Budget } from '@giftwire/sdk';
import { Button, Group, Switch } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { giftwire } from '../../data/client.ts';
import { useFilters } from '../../data/filters.ts';
import { useCan } from '../../data/me.tsx';
import { CsvButton } from '../../parts/csv-button.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Fault } from '../../parts/fault.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Go } from '../../parts/link.tsx';
import { Money } from '../../parts/money.tsx';
import { Page } from '../../parts/page.tsx';
import { ListPages } from '../../parts/pages.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Waiting } from '../../parts/waiting.tsx';
import { useFormats, useWords } from '../../words/words.tsx';
import { BudgetForm } from './budget-form.tsx';
import { LevelPill, useBudgetName } from './budget-name.tsx';
import styles from './money.module.css';

const size = 25;

/** The budgets of the workspace. */
export default function Budgets() {
  const { money: words, screens } = useWords();
  const canManage = useCan()('budgets:manage');
  const [filters, change] = useFilters();
  const [isAdding, setAdding] = useState(false);
  const page = Number(filters.page ?? 0);
  const includeClosed = filters.closed === 'yes';
  const budgets = useQuery({
    queryKey: ['budgets', 'list', page, includeClosed],
    queryFn: ({ signal }) => giftwire.budgets.list({ page, size, includeClosed }, { signal }),
    placeholderData: keepPreviousData,
  });
  const { data, error } = budgets;
  const add = canManage && (
    <Button variant="filled" leftSection={<Icon name="plus" />} onClick={() => setAdding(true)}>
      {words.add}
    </Button>
  );
  const isEmpty = data?.budgets.every(isUnlimited) && !includeClosed && page === 0;
  return (
    <Page title={screens.budgets} text={words.text} actions={!isEmpty && add}>
      <Fault error={error} retry={() => void budgets.refetch()} />
      {!data && !error && <Waiting />}
      {isEmpty && (
        <Empty title={words.none} action={add}>
          {words.noneText}
        </Empty>
      )}
      {data && (
        <Group justify="space-between" gap="8px 16px" mb={16}>
          <Switch
            label={words.showClosed}
            checked={includeClosed}
            onChange={({ currentTarget }) => change({ closed: currentTarget.checked ? 'yes' : null })}
          />
          <CsvButton name="budgets.csv" read={() => giftwire.budgets.csv({ includeClosed, bom: true })} />
        </Group>
      )}
      {data && data.budgets.length > 0 && (
        <BudgetTable
          budgets={data.budgets.toSorted((one, other) => Number(isUnlimited(one)) - Number(isUnlimited(other)))}
          foot={data.totalElements > size && <ListPages list={data} />}
        />
      )}
      {data && (
        <p className={`quiet small ${styles.proofLink}`}>
          {words.proofNote} <Go to="/settings/audit/proof">{words.verify}</Go>
        </p>
      )}
      {canManage && <BudgetForm isOpen={isAdding} onClose={() => setAdding(false)} />}
    </Page>
  );
}

/** Not a budget, but the book of gifts that were sent without one: it stands below the budgets of its page. */
function isUnlimited({ kind }: Budget): boolean {
  return kind === 'UNLIMITED';
}

function BudgetTable({ budgets, foot }: { budgets: readonly Budget[]; foot: React.ReactNode }) {
  const { money: words } = useWords();
  const { money } = useFormats();
  const nameOf = useBudgetName();
  const sum = (key: 'committed' | 'spent' | 'granted'): Column<Budget> => ({
    key,
    head: words[key],
    isNumber: true,
    isOptional: key !== 'spent',
    cell: (budget) => <Money amount={budget[key]} currency={budget.currency} />,
  });
  const columns: Column<Budget>[] = [
    {
      key: 'whose',
      head: words.whose,
      cell: (budget) => (
        <span className={styles.name}>
          <Go to={`/money/budgets/${budget.id}`}>{nameOf(budget)}</Go> <span className="quiet">{budget.currency}</span>{' '}
          <LevelPill budget={budget} />
        </span>
      ),
    },
    {
      key: 'left',
      head: words.left,
      isNumber: true,
      cell: ({ kind, available, currency }) =>
        kind === 'UNLIMITED' ? '–' : <b className="figure">{money(available, currency)}</b>,
    },
    sum('committed'),
    sum('spent'),
    sum('granted'),
    {
      key: 'limit',
      head: words.limit,
      isNumber: true,
      isOptional: true,
      cell: ({ giftLimit, currency }) => (giftLimit === null ? '–' : <Money amount={giftLimit} currency={currency} />),
    },
    {
      key: 'regular',
      head: words.regular,
      isOptional: true,
      cell: ({ allowance, currency }) =>
        allowance ? words.every[allowance.every](money(allowance.amount, currency)) : '–',
    },
  ];
  return <Table label={words.list} columns={columns} rows={budgets} rowKey={({ id }) => id} foot={foot} />;
}
