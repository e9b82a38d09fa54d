import { Button, Group, Select, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import type { Filters } from '../../data/filters.ts';
import { Icon } from '../../parts/icon.tsx';
import { useWords } from '../../words/words.tsx';
import styles from './gifts.module.css';

interface FilterProps {
  filters: Filters;
  change: (changes: Record<string, string | null>) => void;
}

/** The filters of the list of gifts. They are the address, in the names of the interface. */
export function GiftFilters({ filters, change }: FilterProps) {
  const { gifts } = useWords();
  const isSet = ['search', 'state', 'delivery', 'from', 'to', 'member', 'requestId'].some((name) => filters[name]);
  return (
    <search className={styles.filters}>
      <SearchField
        label={gifts.search}
        hint={gifts.searchHint}
        value={filters.search ?? ''}
        onChange={(search) => change({ search })}
      />
      <ShowField filters={filters} change={change} />
      <Group gap={8} wrap="nowrap" className={styles.days}>
        <TextInput
          type="date"
          aria-label={gifts.from}
          title={gifts.from}
          data-set={filters.from ? true : undefined}
          value={filters.from ?? ''}
          onChange={({ target }) => change({ from: target.value })}
        />
        <span className="quiet">{gifts.to}</span>
        <TextInput
          type="date"
          aria-label={`${gifts.ordered} ${gifts.to}`}
          data-set={filters.to ? true : undefined}
          value={filters.to ?? ''}
          onChange={({ target }) => change({ to: target.value })}
        />
      </Group>
      {isSet && (
        <Button
          variant="subtle"
          onClick={() =>
            change({ search: null, state: null, delivery: null, from: null, to: null, member: null, requestId: null })
          }
        >
          {gifts.clear}
        </Button>
      )}
    </search>
  );
}

/** State and delivery are one question to people. */
function ShowField({ filters, change }: FilterProps) {
  const { gifts } = useWords();
  const value = filters.delivery ? `delivery:${filters.delivery}` : filters.state ? `state:${filters.state}` : null;
  const data = [
    ...Object.entries(gifts.deliveries).map(([name, label]) => ({ value: `delivery:${name}`, label })),
    ...Object.entries(gifts.states).map(([name, label]) => ({ value: `state:${name}`, label })),
  ];
  return (
    <Select
      className={styles.show}
      aria-label={gifts.show}
      placeholder={gifts.anyState}
      clearable
      data={data}
      value={value}
      data-set={value ? true : undefined}
      onChange={(chosen) => {
        const [kind, name = null] = chosen?.split(':') ?? [];
        change({
          delivery: kind === 'delivery' ? name : null,
          // A gift that was claimed has a mail that was sent too.
          state: kind === 'state' ? name : kind === 'delivery' ? 'ISSUED' : null,
        });
      }}
    />
  );
}

interface SearchProps {
  label: string;
  hint: string;
  value: string;
  onChange: (search: string | null) => void;
}

const typingMs = 250;

/** A field that searches while one types. */
export function SearchField({ label, hint, value, onChange }: SearchProps) {
  const [typed, setTyped] = useState(value);
  const search = useDebouncedCallback((text: string) => onChange(text.trim() === '' ? null : text.trim()), typingMs);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what comes from the address replaces what was typed
  useEffect(() => {
    if (value !== typed.trim()) setTyped(value);
  }, [value]);
  return (
    <TextInput
      className={styles.search}
      type="search"
      aria-label={label}
      placeholder={hint}
      leftSection={<Icon name="find" size={16} />}
      value={typed}
      data-set={value ? true : undefined}
      onChange={({ target }) => {
        setTyped(target.value);
        search(target.value);
      }}
    />
  );
}
