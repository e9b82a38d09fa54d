import { GiftwireError } from '@giftwire/sdk';
import { QueryClient } from '@tanstack/react-query';

const seconds = 1_000;

/**
 * What was read from the service. A key begins with the name of the resource, as ['gifts', …]: live events make everything of a
 * resource stale by that name (live.ts).
 */
export const queries = new QueryClient({
  defaultOptions: {
    // Without a connection a request fails at once and its screen says so, instead of waiting for one.
    mutations: { networkMode: 'always' },
    queries: {
      networkMode: 'always',
      staleTime: 30 * seconds,
      retry: (failures, error) => failures < 2 && isWorthRepeating(error),
    },
  },
});

function isWorthRepeating(error: unknown): boolean {
  return error instanceof GiftwireError && (error.status === null || error.status >= 500);
}
