import type { OrderDetails, OrderLine } from '@giftwire/sdk';
import { Money } from '../../parts/money.tsx';
import { nameOf } from '../../parts/name.ts';
import { Section } from '../../parts/page.tsx';
import { ListPages } from '../../parts/pages.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { When } from '../../parts/when.tsx';
import { useWords } from '../../words/words.tsx';

type Line = OrderLine & { nth: number };

/** What was ordered, as the order says: while its gifts are not issued, and for users who do not see gifts. */
export function OrderLines({ order }: { order: OrderDetails }) {
  const { orders: words } = useWords();
  const columns: Column<Line>[] = [
    { key: 'person', head: words.person, cell: (line) => <b>{nameOfLine(line)}</b> },
    {
      key: 'amount',
      head: words.amount,
      isNumber: true,
      cell: ({ amount }) => <Money amount={amount} currency={order.currency} />,
    },
    ...(order.lines.some(({ deliverAt }) => deliverAt !== null)
      ? [
          {
            key: 'when',
            head: words.emailed,
            cell: ({ deliverAt }: Line) => (deliverAt === null ? words.atOnce : <When time={deliverAt} />),
          },
        ]
      : []),
    {
      key: 'message',
      head: words.message,
      isWide: true,
      cell: ({ message }) => <span className="letter">{message}</span>,
    },
  ];
  return (
    <Section title={words.lines}>
      <Table
        label={words.lines}
        columns={columns}
        rows={order.lines.map((line, nth) => ({ ...line, nth }))}
        rowKey={({ nth }) => nth}
        foot={order.totalPages > 1 && <ListPages list={order} />}
      />
    </Section>
  );
}

function nameOfLine(line: OrderLine): string {
  return nameOf({ ...line, firstName: line.firstName ?? '', lastName: line.lastName ?? '' });
}
