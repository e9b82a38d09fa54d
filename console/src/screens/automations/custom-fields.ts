import type { CustomField } from '@giftwire/sdk';
import { useQuery } from '@tanstack/react-query';
import { giftwire } from '../../data/client.ts';
import { useCan } from '../../data/me.tsx';

/** The fields that the workspace has defined for its people. */
export function useCustomFields(): readonly CustomField[] {
  const canRead = useCan()('directory:read');
  const { data } = useQuery({
    queryKey: ['people', 'custom-fields'],
    queryFn: ({ signal }) => giftwire.customFields.list({ signal }),
    enabled: canRead,
  });
  return data ?? [];
}
