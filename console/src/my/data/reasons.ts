import { useQuery } from '@tanstack/react-query';
import { giftwire } from './client.ts';

/** What people are recognized for, the default first. */
export function useReasons() {
  const { data } = useQuery({ queryKey: ['reasons'], queryFn: () => giftwire.feed.reasons() });
  return data ?? [];
}
