import { queryOptions } from '@tanstack/react-query';
import { giftwire } from '../../data/client.ts';

/** The first approvals that wait for the user, and how many do. The navigation, Home and the list count the same. */
export const mineQuery = queryOptions({
  queryKey: ['approvals', 'mine'],
  queryFn: ({ signal }) => giftwire.approvals.list({ size: 3 }, { signal }),
});
