import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';

export type Filters = Readonly<Record<string, string>>;

/**
 * The filters of a screen are in its URL, so that a link shows the same list to another user. `change` sets some, drops those that
 * are null or empty, and goes back to the first page unless it sets the page.
 */
export function useFilters(): [Filters, (change: Record<string, string | null>) => void] {
  const filters = useSearch({ strict: false }) as Filters;
  const navigate = useNavigate();
  const change = useCallback(
    (changes: Record<string, string | null>) => {
      void navigate({
        to: '.',
        replace: true,
        search: ((before: Filters) => {
          const after = { ...before, page: null, ...changes };
          return Object.fromEntries(Object.entries(after).filter(([, value]) => value !== null && value !== ''));
        }) as never,
      });
    },
    [navigate],
  );
  return [filters, change];
}
