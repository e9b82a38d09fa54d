import { responseOf } from '@giftwire/sdk';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

/** The version of a record that was read or saved, for `ifMatch`. Its query needs `structuralSharing: false`, because a merged copy has none. */
export function versionOf(record: object | null | undefined): string | undefined {
  return (record && responseOf(record)?.etag) ?? undefined;
}

/** The version that a user began to change: while a form has changes, it does not follow what others save. */
export function useBegunVersion(stored: object | null | undefined, isDirty: boolean): string | undefined {
  const current = versionOf(stored);
  const [begun, setBegun] = useState(current);
  if (!isDirty && begun !== current) setBegun(current);
  return isDirty ? begun : current;
}

/** Reads a record when a form about it opens, so that the form begins with its current state and changes exactly this version. */
export function useOpened<Record extends object>(
  key: readonly unknown[],
  read: (options: { signal: AbortSignal }) => Promise<Record>,
) {
  return useQuery({
    queryKey: ['opened', ...key],
    queryFn: ({ signal }) => read({ signal }),
    structuralSharing: false,
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
}
