import type { MemberSuggestion } from '@giftwire/sdk';
import { Select, type SelectProps } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { giftwire } from '../data/client.ts';
import { useWords } from '../words/words.tsx';
import { nameOf } from './name.ts';

export interface Chosen {
  id: number;
  name: string;
}

interface PersonFieldProps {
  label: string;
  value: Chosen | null;
  onChange: (person: Chosen | null) => void;
  /** A person who is not offered. */
  except?: number | undefined;
  isRequired?: boolean;
  error?: string | null;
  /** In a popover the suggestions are inside too: a click outside of it closes it. */
  comboboxProps?: SelectProps['comboboxProps'];
}

const typingMs = 150;

/** A person, by suggestions as one types. */
export function PersonField({ label, value, onChange, except, isRequired = false, ...others }: PersonFieldProps) {
  const { people } = useWords();
  const [typed, setTyped] = useState(value?.name ?? '');
  const [search] = useDebouncedValue(typed.trim(), typingMs);
  const found = useQuery({
    queryKey: ['people', 'suggestions', search],
    queryFn: ({ signal }) => giftwire.members.suggest({ search }, { signal }),
    enabled: search !== '' && search !== value?.name,
    placeholderData: keepPreviousData,
  });
  const offered = (found.data ?? []).filter(({ id }) => id !== except).map(optionOf);
  const chosen = value && !offered.some((one) => one.value === String(value.id)) ? [ownOption(value)] : [];
  return (
    <Select
      label={label}
      placeholder={people.managerHint}
      searchable
      clearable
      required={isRequired}
      {...others}
      data={[...chosen, ...offered]}
      value={value ? String(value.id) : null}
      searchValue={typed}
      onSearchChange={setTyped}
      // The service has searched already, also in addresses and numbers.
      filter={({ options }) => options}
      nothingFoundMessage={search ? people.noneFound : null}
      onChange={(_id, option) => onChange(option ? { id: Number(option.value), name: option.label } : null)}
    />
  );
}

function optionOf(member: MemberSuggestion) {
  const name = nameOf(member);
  return { value: String(member.id), label: member.department ? `${name} (${member.department})` : name };
}

function ownOption({ id, name }: Chosen) {
  return { value: String(id), label: name };
}
