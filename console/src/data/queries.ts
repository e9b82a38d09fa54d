import { GiftwireError } from '@giftwire/sdk';
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';

/** Raised when the session has ended: the sign-in page then comes up. */
export const sessionEnded = 'giftwire:session-ended';

const seconds = 1_000;

/**
 * What was read from the service. A key begins with the name of the resource, as ['gifts', …]: live events make everything of a
 * resource stale by that name (live.ts).
 */
export const queries = new QueryClient({
  queryCache: new QueryCache({ onError: noticeEnd }),
  mutationCache: new MutationCache({ onError: noticeEnd }),
  defaultOptions: {
    queries: {
      staleTime: 30 * seconds,
      retry: (failures, error) => failures < 2 && isWorthRepeating(error),
    },
  },
});

function isWorthRepeating(error: unknown): boolean {
  return error instanceof GiftwireError && (error.status === null || error.status >= 500);
}

function noticeEnd(error: unknown): void {
  if (error instanceof GiftwireError && error.status === 401) window.dispatchEvent(new Event(sessionEnded));
}
