import type { MyGiftPage } from '@giftwire/sdk';
import { useQuery } from '@tanstack/react-query';
import { giftwire } from './client.ts';

/** All gifts that can be claimed or spent, with their totals: as a rule one page. */
export function useOpenGifts() {
  return useQuery({ queryKey: ['gifts', 'open'], queryFn: readOpenGifts });
}

async function readOpenGifts(): Promise<MyGiftPage> {
  const list = (after?: string) => giftwire.myGifts.list({ standing: 'OPEN', size: 100, ...(after && { after }) });
  const first = await list();
  const gifts = [...first.gifts];
  for (let { next } = first; next !== null; ) {
    const page = await list(next);
    gifts.push(...page.gifts);
    next = page.next;
  }
  return { ...first, gifts, next: null };
}
