import { Button, Group, Select, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { giftwire } from '../../data/client.ts';
import type { Filters } from '../../data/filters.ts';
import { useCan } from '../../data/me.tsx';
import { DateField } from '../../parts/date-field.tsx';
import { Icon } from '../../parts/icon.tsx';
import { nameOf } from '../../parts/name.ts';
import { useFormats, useWords } from '../../words/words.tsx';
import styles from './gifts.module.css';

interface FilterProps {
  filters: Filters;
  change: (changes: Record<string, string | null>) => void;
}

/** In the address: within seven days, as Home counts them. */
export const soon = 'soon';
const soonMs = 7 * 86_400_000;
const minuteMs = 60_000;

/** The end of seven days, to the minute, so that the list is not another one each time that it is shown. */
export function endOfSoon(): string {
  return new Date(Math.ceil((Date.now() + soonMs) / minuteMs) * minuteMs).toISOString();
}

const names = ['search', 'state', 'delivery', 'from', 'to', 'member', 'requestId', 'expiresBefore'];
const nothing = Object.fromEntries(names.map((name) => [name, null]));

/** The filters of the list of gifts. They are the address, in the names of the interface. */
export function GiftFilters({ filters, change }: FilterProps) {
  const { gifts } = useWords();
  const { day } = useFormats();
  const isSet = names.some((name) => filters[name]);
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
        <DateField
          aria-label={gifts.from}
          title={gifts.from}
          data-set={filters.from ? true : undefined}
          value={filters.from ?? ''}
          onDay={(from) => from !== null && change({ from })}
        />
        <span className="quiet">{gifts.to}</span>
        <DateField
          aria-label={`${gifts.ordered} ${gifts.to}`}
          data-set={filters.to ? true : undefined}
          value={filters.to ?? ''}
          onDay={(to) => to !== null && change({ to })}
        />
      </Group>
      {filters.requestId && (
        <Chip onRemove={() => change({ requestId: null })}>
          <OrderName requestId={filters.requestId} />
        </Chip>
      )}
      {filters.member && (
        <Chip onRemove={() => change({ member: null })}>
          <PersonName id={Number(filters.member)} />
        </Chip>
      )}
      {filters.expiresBefore && (
        <Chip onRemove={() => change({ expiresBefore: null })}>
          {filters.expiresBefore === soon ? gifts.endsSoon : gifts.endsBefore(day(filters.expiresBefore))}
        </Chip>
      )}
      {isSet && (
        <Button variant="subtle" onClick={() => change(nothing)}>
          {gifts.clear}
        </Button>
      )}
    </search>
  );
}

/** A filter that is set by a link. A click removes it. */
function Chip({ onRemove, children }: { onRemove: () => void; children: ReactNode }) {
  return (
    <Button className={styles.chip} rightSection={<Icon name="close" size={14} />} onClick={onRemove}>
      {children}
    </Button>
  );
}

/** Managers may not read orders. */
function OrderName({ requestId }: { requestId: string }) {
  const { gifts } = useWords();
  const can = useCan();
  const order = useQuery({
    queryKey: ['orders', 'size', requestId],
    queryFn: ({ signal }) => giftwire.orders.details(requestId, { size: 1 }, { signal }),
    enabled: can('orders:read') && can('gifts:manage'),
  });
  return order.data ? gifts.ofOrder(String(order.data.orderId ?? requestId.slice(0, 8))) : gifts.oneOrder;
}

function PersonName({ id }: { id: number }) {
  const { gifts } = useWords();
  const can = useCan();
  const person = useQuery({
    queryKey: ['members', 'one', String(id)],
    queryFn: ({ signal }) => giftwire.members.retrieve(id, { signal }),
    enabled: can('directory:read'),
  });
  return person.data ? gifts.ofPerson(nameOf(person.data)) : gifts.onePerson;
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
          // A gift that was claimed has an email that was sent too.
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
