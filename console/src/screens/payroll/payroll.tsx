import type { PayrollExport } from '@giftwire/sdk';
import { Button } from '@mantine/core';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { giftwire } from '../../data/client.ts';
import { useFilters } from '../../data/filters.ts';
import { useCan } from '../../data/me.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { CsvButton } from '../../parts/csv-button.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Fault } from '../../parts/fault.tsx';
import { Page } from '../../parts/page.tsx';
import { Pages } from '../../parts/pages.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { tell } from '../../parts/tell.tsx';
import { Waiting } from '../../parts/waiting.tsx';
import { When } from '../../parts/when.tsx';
import { useFormats, useWords } from '../../words/words.tsx';

const size = 25;

/** The files that payroll pays: closed batches, each redemption in exactly one. */
export default function Payroll() {
  const { screens, spending: words } = useWords();
  const { number } = useFormats();
  const canClose = useCan()('budgets:manage');
  const queries = useQueryClient();
  const [filters, change] = useFilters();
  const [isAsking, setAsking] = useState(false);
  const page = Number(filters.page ?? 0);
  const exports = useQuery({
    queryKey: ['redemptions', 'payroll', page],
    queryFn: ({ signal }) => giftwire.payroll.list({ page, size }, { signal }),
    placeholderData: keepPreviousData,
  });
  const { data, error } = exports;
  const close = canClose && data && data.waiting > 0 && (
    <Button variant="filled" onClick={() => setAsking(true)}>
      {words.closeExport}
    </Button>
  );
  return (
    <Page
      title={screens.payroll}
      text={data ? words.payrollWaiting(data.waiting) : words.payrollText}
      actions={data && data.exports.length > 0 && close}
    >
      <Fault error={error} retry={() => void exports.refetch()} />
      {!data && !error && <Waiting />}
      {data?.totalElements === 0 && (
        <Empty title={words.noExports} action={close}>
          {words.payrollText}
        </Empty>
      )}
      {data && data.exports.length > 0 && (
        <ExportTable
          exports={data.exports}
          foot={
            data.totalElements > size && (
              <Pages
                page={page}
                size={size}
                total={data.totalElements}
                onPage={(next) => change({ page: String(next) })}
              />
            )
          }
        />
      )}
      <Confirm
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title={words.closeExportTitle}
        keep={words.notYet}
        act={words.closeExport}
        isDangerous={false}
        onAct={async () => {
          const closed = await giftwire.payroll.close();
          await queries.invalidateQueries({ queryKey: ['redemptions'] });
          tell(words.exportClosed(number(closed.number)));
        }}
      >
        {words.closeExportText(data?.waiting ?? 0)}
      </Confirm>
    </Page>
  );
}

function ExportTable({ exports: rows, foot }: { exports: readonly PayrollExport[]; foot: React.ReactNode }) {
  const { screens, spending: words } = useWords();
  const { number, money, list } = useFormats();
  const columns: Column<PayrollExport>[] = [
    { key: 'number', head: words.exportNumber, cell: ({ number: nth }) => <b>{words.exportOf(number(nth))}</b> },
    { key: 'lines', head: words.exportLines, isNumber: true, cell: ({ lines }) => number(lines) },
    {
      key: 'totals',
      head: words.pays,
      isNumber: true,
      cell: ({ totals }) => list(totals.map(({ amount, currency }) => money(amount, currency))),
    },
    { key: 'closed', head: words.closed, cell: ({ closedAt }) => <When time={closedAt} /> },
    { key: 'by', head: words.closedBy, isOptional: true, cell: ({ closedBy }) => closedBy ?? '–' },
    {
      key: 'file',
      head: words.file,
      hidesHead: true,
      isNumber: true,
      cell: ({ number: nth }) => (
        <CsvButton
          name={`payroll-${nth}.csv`}
          read={() => giftwire.payroll.csv(nth)}
          label={words.fileOf(number(nth))}
        />
      ),
    },
  ];
  return <Table label={screens.payroll} columns={columns} rows={rows} rowKey={({ number: nth }) => nth} foot={foot} />;
}
