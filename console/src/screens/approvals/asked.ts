import type { OrderApproval } from '@giftwire/sdk';
import { useHere } from '../../data/me.tsx';
import { useFormats, useWords } from '../../words/words.tsx';

const most = 3;

/** Who is asked, in a few words: you, Lucie Gagnon or 5 others. Empty if no person can decide. */
export function useAskedNames(): (asked: OrderApproval['asked']) => string {
  const { approvals: words } = useWords();
  const { either } = useFormats();
  const { memberId } = useHere().workspace;
  return (asked) => {
    const isSelf = ({ id }: { id: number }) => id === memberId;
    const names = [...asked.filter(isSelf).map(() => words.you), ...asked.filter((one) => !isSelf(one)).map(nameIn)];
    const isShort = names.length <= most + 1;
    return either(isShort ? names : [...names.slice(0, most), words.others(names.length - most)]);
  };
}

const nameIn = ({ name }: { name: string }) => name;

/** Whether the user is asked now. The service decides again when they decide. */
export function useIsAsked(): (approval: OrderApproval) => boolean {
  const { memberId } = useHere().workspace;
  return ({ state, asked }) => state === 'WAITING' && asked.some(({ id }) => id === memberId);
}
