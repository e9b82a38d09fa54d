import { MultiSelect } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { giftwire } from '../../data/client.ts';
import { nameOf } from '../../parts/name.ts';
import { useWords } from '../../words/words.tsx';
import { approverOf, decidingRoles } from './approvers.ts';
import { useMemberNames } from './names.ts';
import styles from './rules.module.css';

interface ApproversFieldProps {
  label: string;
  /** As keyOf writes them. */
  value: readonly string[];
  error: string | null;
  onChange: (value: string[]) => void;
}

interface Option {
  value: string;
  label: string;
}

const typingMs = 150;
const most = 20;

/** Who is asked at a level: the sender's manager, roles, and people by suggestions as one types. */
export function ApproversField({ label, value, error, onChange }: ApproversFieldProps) {
  const { rules: words } = useWords();
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), typingMs);
  const [known, setKnown] = useState<ReadonlyMap<number, string>>(new Map());
  const chosen = value.flatMap((key) => approverOf(key).memberId ?? []);
  const names = useMemberNames(chosen.filter((id) => !known.has(id)));
  const found = useQuery({
    queryKey: ['people', 'suggestions', search],
    queryFn: ({ signal }) => giftwire.members.suggest({ search }, { signal }),
    enabled: search !== '',
    placeholderData: keepPreviousData,
  });
  const suggested = search === '' ? [] : (found.data ?? []).map((member) => [member.id, nameOf(member)] as const);
  const own = chosen.map((id) => [id, known.get(id) ?? names.get(id) ?? '…'] as const);
  const people = [...new Map([...own, ...suggested])].map(([id, name]) => ({ value: `member:${id}`, label: name }));
  const text = typed.trim().toLowerCase();
  // What is chosen stays among the options, because the field takes its name from there.
  const fits = (one: Option) => value.includes(one.value) || one.label.toLowerCase().includes(text);
  const groups = [
    { group: words.groups.general, items: [{ value: 'manager', label: words.manager }].filter(fits) },
    {
      group: words.groups.roles,
      items: decidingRoles.map((role) => ({ value: `role:${role}`, label: words.asked[role] })).filter(fits),
    },
    { group: words.groups.people, items: people },
  ];
  return (
    <MultiSelect
      className={styles.approvers}
      aria-label={label}
      placeholder={value.length === 0 ? words.fields.firstHint : ''}
      searchable
      maxValues={most}
      hidePickedOptions
      value={[...value]}
      error={error}
      searchValue={typed}
      onSearchChange={setTyped}
      // The service has searched people already, also in addresses and numbers.
      filter={({ options }) => options}
      data={groups.filter(({ items }) => items.length > 0)}
      nothingFoundMessage={words.noMatch}
      onChange={(keys) => {
        setKnown(new Map([...known, ...suggested]));
        setTyped('');
        onChange(keys);
      }}
    />
  );
}
