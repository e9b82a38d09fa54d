import { useQuery } from '@tanstack/react-query';
import { giftwire } from '../data/client.ts';
import { useCan } from '../data/me.tsx';
import { mineQuery } from '../screens/approvals/pending.ts';
import { useFormats, useWords, type Words } from '../words/words.tsx';

/** What waits on a screen, beside its name in the navigation. It is what Home reads as well. */
export function useCounts(): Partial<Record<keyof Words['screens'], string>> {
  const { frame } = useWords();
  const { number } = useFormats();
  const can = useCan();
  const { data } = useQuery({
    queryKey: ['reports', 'overview'],
    queryFn: ({ signal }) => giftwire.reports.overview({}, { signal }),
    enabled: can('reports:read'),
  });
  const { data: waiting } = useQuery({ ...mineQuery, enabled: can('approvals:decide') });
  const failed = data?.attention.failedGifts ?? 0;
  const pending = waiting?.totalElements ?? 0;
  return {
    ...(failed > 0 && { gifts: frame.failed(number(failed)) }),
    ...(pending > 0 && { approvals: frame.waiting(number(pending)) }),
  };
}
