import { useQuery } from '@tanstack/react-query';
import { giftwire } from '../data/client.ts';
import { useCan } from '../data/me.tsx';
import { useFormats, useWords, type Words } from '../words/words.tsx';

/** What waits on a screen, beside its name in the navigation. It is what Home reads as well. */
export function useCounts(): Partial<Record<keyof Words['screens'], string>> {
  const { frame } = useWords();
  const { number } = useFormats();
  const canRead = useCan()('reports:read');
  const { data } = useQuery({
    queryKey: ['reports', 'overview'],
    queryFn: ({ signal }) => giftwire.reports.overview({}, { signal }),
    enabled: canRead,
  });
  if (!data) return {};
  const { failedGifts, waitingShoutouts } = data.attention;
  return {
    ...(failedGifts > 0 && { gifts: frame.failed(number(failedGifts)) }),
    ...(waitingShoutouts > 0 && { recognition: frame.waiting(number(waitingShoutouts)) }),
  };
}
