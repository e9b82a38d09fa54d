import type { CustomField } from '@giftwire/sdk';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { giftwire } from './client.ts';
import { useCan } from './me.tsx';

/** The custom fields of the workspace, for users who may see their values. */
export function useCustomFields(): UseQueryResult<CustomField[]> {
  const can = useCan();
  return useQuery({
    queryKey: ['customFields'],
    queryFn: ({ signal }) => giftwire.customFields.list({ signal }),
    enabled: can('directory:write') || can('settings:read'),
  });
}
