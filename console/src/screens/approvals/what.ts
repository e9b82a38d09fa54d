import type { OrderApproval, Shoutout } from '@giftwire/sdk';
import { nameOf } from '../../parts/name.ts';
import { useFormats, useWords } from '../../words/words.tsx';

type Sum = Pick<OrderApproval, 'gifts' | 'total' | 'currency' | 'recipient' | 'batch'>;

/** How much one decision is about: an order, or those of a batch. */
export function sumOf({ gifts, total, batch }: Pick<OrderApproval, 'gifts' | 'total' | 'batch'>) {
  return { gifts: batch?.gifts ?? gifts, total: batch?.total ?? total, orders: batch?.requestIds.length ?? 1 };
}

/** What is decided, in a few words: CA$400.00 for Ingrid Solberg. */
export function useWhat() {
  const { approvals: words } = useWords();
  const { money } = useFormats();
  return {
    order(order: Sum): string {
      const { currency, recipient } = order;
      const { gifts, total } = sumOf(order);
      const amount = money(total, currency);
      return gifts === 1 ? words.whatFor(amount, recipient) : words.whatMany(words.gifts(gifts), amount);
    },
    shoutout({ sender, receiver }: Pick<Shoutout, 'sender' | 'receiver'>): string {
      return words.whatShoutout(nameOf(sender), nameOf(receiver));
    },
  };
}
