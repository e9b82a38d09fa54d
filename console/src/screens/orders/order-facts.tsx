import type { GiftTotals, OrderDetails } from '@giftwire/sdk';
import { Button } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { Facts, Letter } from '../../parts/page.tsx';
import { useFormats, useWords } from '../../words/words.tsx';
import { leftOf, sumOf } from '../gifts/standings.ts';
import { messageOf } from './order-gifts.tsx';

/** Beside the gifts: the message that they share, and what was ordered. */
export function OrderFacts({ order, totals }: { order: OrderDetails; totals: GiftTotals | undefined }) {
  const { orders } = useWords();
  const formats = useFormats();
  const { facts } = orders;
  const { message, isSame } = messageOf(order);
  const [first] = order.lines;
  const isEven = order.gifts > 1 && order.lines.every(({ amount }) => amount === first?.amount);
  const total = formats.money(order.total, order.currency);
  const each = formats.money(first?.amount ?? 0, order.currency);
  return (
    <div>
      {message && isSame && <Letter by={orders.toAll(order.senderName, order.gifts)}>{message}</Letter>}
      <Facts
        facts={[
          [facts.from, order.senderName],
          [facts.total, isEven ? orders.evenTotal(total, formats.number(order.gifts), each) : total],
          ...(totals ? [[facts.left, sumOf(totals, leftOf, formats)] as const] : []),
          [facts.accepted, formats.moment(order.acceptedAt)],
          ...(order.finishedAt ? [[facts.finished, formats.moment(order.finishedAt)] as const] : []),
          ...(order.note ? [[facts.note, order.note] as const] : []),
          ...(order.customerRequestId ? [[facts.reference, order.customerRequestId] as const] : []),
          [facts.id, <RequestId key="id" id={order.requestId} />],
        ]}
      />
    </div>
  );
}

/** Programs need it whole; people only need to copy it. */
function RequestId({ id }: { id: string }) {
  const { parts } = useWords();
  const { copy, copied } = useClipboard({ timeout: 2_000 });
  return (
    <>
      <code title={id}>{`${id.slice(0, 8)}…${id.slice(-6)}`}</code>{' '}
      <Button size="compact-sm" variant="subtle" onClick={() => copy(id)}>
        {copied ? parts.copied : parts.copy}
      </Button>
    </>
  );
}
