import type { CoverageGrouping } from '@giftwire/sdk';
import { Select, type SelectProps } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { giftwire } from '../data/client.ts';
import { useWords } from '../words/words.tsx';

interface GroupFieldProps extends Omit<SelectProps, 'data' | 'value' | 'onChange'> {
  by: Exclude<CoverageGrouping, 'manager' | 'month'>;
  /** The name of the group; absent: none is chosen. */
  value: string | undefined;
  onChange: (name: string | null) => void;
}

/** The most that one request answers with. Few companies have more groups of a kind. */
const most = 1_000;
const mostShown = 50;

/** One of the groups that people are in, found as one types. The groups are asked for when the field is used. */
export function GroupField({ by, value, onChange, ...field }: GroupFieldProps) {
  const { parts } = useWords();
  const [isUsed, setUsed] = useState(false);
  const { data } = useQuery({
    queryKey: ['reports', 'groups', by],
    queryFn: ({ signal }) => giftwire.reports.coverage({ by, sort: 'name', size: most }, { signal }),
    enabled: isUsed,
  });
  const names = (data?.groups ?? []).flatMap(({ name }) => name ?? []);
  return (
    <Select
      comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
      {...field}
      data={value === undefined || names.includes(value) ? names : [value, ...names]}
      value={value ?? null}
      onChange={onChange}
      onFocus={() => setUsed(true)}
      searchable
      clearable
      limit={mostShown}
      nothingFoundMessage={data ? parts.noSuchGroup : parts.loading}
    />
  );
}
