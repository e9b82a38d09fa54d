import type { PayrollLine } from '@giftwire/sdk';
import type { ReactNode } from 'react';
import { Go } from '../../parts/link.tsx';
import { Money } from '../../parts/money.tsx';
import { nameOf } from '../../parts/name.ts';
import { type Column, Table } from '../../parts/table.tsx';
import { useFormats, useWords } from '../../words/words.tsx';
import { Who } from '../gifts/who.tsx';

/** The lines that the next file will have. What needs care is said in its line. */
export function DueLines({ lines, foot }: { lines: readonly PayrollLine[]; foot: ReactNode }) {
  const { spending: words } = useWords();
  const { day } = useFormats();
  const columns: Column<PayrollLine>[] = [
    {
      key: 'person',
      head: words.who,
      cell: ({ giftId, firstName, lastName, email, employeeNumber }) => (
        <Who
          name={nameOf({ firstName: firstName ?? '', lastName: lastName ?? '', email }, employeeNumber ?? '–')}
          to={`/gifts/${giftId}`}
          line={employeeNumber ?? words.noNumber}
        />
      ),
    },
    { key: 'date', head: words.chosenOn, cell: ({ date }) => day(date) },
    {
      key: 'note',
      head: words.lineNote,
      isOptional: true,
      cell: ({ type, employeeNumber, giftId }) =>
        type === 'REVERSED' ? (
          <span className="second">{words.reversedLine}</span>
        ) : employeeNumber === null ? (
          <Go to={`/gifts/${giftId}`}>{words.addNumber}</Go>
        ) : null,
    },
    {
      key: 'amount',
      head: words.amount,
      isNumber: true,
      cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
    },
  ];
  return (
    <Table
      label={words.nextLines}
      columns={columns}
      rows={lines}
      rowKey={({ redemptionId, type }) => `${redemptionId} ${type}`}
      foot={foot}
    />
  );
}
