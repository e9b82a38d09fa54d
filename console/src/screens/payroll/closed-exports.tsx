import type { PayrollExport } from '@giftwire/sdk';
import { giftwire } from '../../data/client.ts';
import { CsvButton } from '../../parts/csv-button.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { When } from '../../parts/when.tsx';
import { useFormats, useWords } from '../../words/words.tsx';

/** Closed batches, each redemption in exactly one. */
export function ClosedExports({ exports: rows, foot }: { exports: readonly PayrollExport[]; foot: React.ReactNode }) {
  const { spending: words } = useWords();
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
  return (
    <Table label={words.closedExports} columns={columns} rows={rows} rowKey={({ number: nth }) => nth} foot={foot} />
  );
}
