import type { OrderApproval, Shoutout } from '@giftwire/sdk';
import { nameOf } from '../../parts/name.ts';
import { useFormats, useWords } from '../../words/words.tsx';

type Sum = Pick<OrderApproval, 'gifts' | 'total' | 'currency' | 'recipient'>;

/** What is decided, in a few words: CA$400.00 for Ingrid Solberg. */
export function useWhat() {
  const { approvals: words } = useWords();
  const { money } = useFormats();
  return {
    order({ gifts, total, currency, recipient }: Sum): string {
      const amount = money(total, currency);
      return gifts === 1 ? words.whatFor(amount, recipient) : words.whatMany(words.gifts(gifts), amount);
    },
    shoutout({ sender, receiver }: Pick<Shoutout, 'sender' | 'receiver'>): string {
      return words.whatShoutout(nameOf(sender), nameOf(receiver));
    },
  };
}
