import { queryOptions } from '@tanstack/react-query';
import { giftwire } from '../../data/client.ts';

/** How many erasures another person has asked for, and the user can confirm. */
export const toConfirmQuery = queryOptions({
  queryKey: ['people', 'erasures', 'toConfirm'],
  queryFn: ({ signal }) => giftwire.erasures.list({ state: 'TO_CONFIRM', size: 1 }, { signal }),
});
