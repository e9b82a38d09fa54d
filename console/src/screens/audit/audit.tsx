import type { ActorKind } from '@giftwire/sdk';
import { Group, Select } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { giftwire } from '../../data/client.ts';
import { type Filters, useFilters } from '../../data/filters.ts';
import { useCan } from '../../data/me.tsx';
import { CsvButton } from '../../parts/csv-button.tsx';
import { DateField } from '../../parts/date-field.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Fault } from '../../parts/fault.tsx';
import { Go } from '../../parts/link.tsx';
import { Page } from '../../parts/page.tsx';
import { useTurning } from '../../parts/pages.tsx';
import { Waiting } from '../../parts/waiting.tsx';
import { useWords } from '../../words/words.tsx';
import { EntryList } from './entry-list.tsx';

const size = 50;

/** Who did what, the latest first, in sentences by day. */
export default function Audit() {
  const { screens, audit: words, undo } = useWords();
  const can = useCan();
  const [filters] = useFilters();
  const asked = queryOf(filters);
  const csv = <CsvButton name="audit-log.csv" read={() => giftwire.audit.csv(asked)} />;
  return (
    <Page
      title={screens.audit}
      text={
        <>
          {words.text} <Go to="/settings/audit/proof">{words.proofLink}</Go>{' '}
          {can('directory:write') && <Go to="/people/undo">{undo.link}</Go>}
        </>
      }
      actions={csv}
    >
      <FilterLine />
      <Entries key={JSON.stringify(asked)} asked={asked} />
    </Page>
  );
}

function Entries({ asked }: { asked: ReturnType<typeof queryOf> }) {
  const { audit: words } = useWords();
  const list = useInfiniteQuery({
    queryKey: ['audit', asked],
    queryFn: ({ pageParam, signal }) =>
      giftwire.audit.list({ ...asked, size, ...(pageParam !== null && { after: pageParam }) }, { signal }),
    initialPageParam: null as number | null,
    getNextPageParam: ({ next }) => next,
  });
  const { rows, isEmpty, foot } = useTurning(list, ({ entries }) => entries, { size });
  if (list.error) return <Fault error={list.error} retry={() => void list.refetch()} />;
  if (!list.data) return <Waiting lines={8} />;
  if (isEmpty) return <Empty title={words.none}>{words.noneText}</Empty>;
  return <EntryList entries={rows} foot={foot} />;
}

function queryOf({ actor, action, from, to }: Filters) {
  const [kind, id] = (actor ?? '').split('-');
  return {
    ...(kind && { actor: kind as ActorKind }),
    ...(id && { actorId: Number(id) }),
    ...(action && { action }),
    ...(from && { from }),
    ...(to && { to }),
  };
}

/** Users and tokens by name, and what acts without one. */
function Who({ value, onChange }: { value: string | null; onChange: (value: string | null) => void }) {
  const { audit: words, tokens } = useWords();
  const users = useQuery({
    queryKey: ['users', 'who'],
    queryFn: ({ signal }) => giftwire.users.list({ size: 200 }, { signal }),
  });
  const callers = useQuery({
    queryKey: ['tokens', 'who'],
    queryFn: ({ signal }) => giftwire.tokens.list({ size: 200 }, { signal }),
  });
  const { AUTOMATION, MEMBER, CLI, SYSTEM } = words.actors;
  const data = [
    {
      group: words.whoGroups.users,
      items: [
        { value: 'USER', label: words.allOf.USER },
        ...(users.data?.users ?? []).map(({ id, name, email }) => ({ value: `USER-${id}`, label: name || email })),
      ],
    },
    {
      group: words.whoGroups.tokens,
      items: [
        { value: 'TOKEN', label: words.allOf.TOKEN },
        ...(callers.data?.tokens ?? []).map(({ id, name }) => ({
          value: `TOKEN-${id}`,
          label: name ?? tokens.unnamed,
        })),
      ],
    },
    {
      group: words.whoGroups.others,
      items: [
        { value: 'AUTOMATION', label: AUTOMATION },
        { value: 'MEMBER', label: MEMBER },
        { value: 'CLI', label: CLI },
        { value: 'SYSTEM', label: SYSTEM },
      ],
    },
  ];
  return (
    <Select
      label={words.who}
      placeholder={words.allActors}
      clearable
      searchable
      data={data}
      value={value}
      onChange={onChange}
    />
  );
}

function FilterLine() {
  const { audit: words } = useWords();
  const [{ actor, action, from, to }, change] = useFilters();
  const choices = (labels: Record<string, string>) =>
    Object.entries(labels).map(([value, label]) => ({ value, label }));
  return (
    <Group gap={8} mb={16} align="end" className="filling">
      <Who value={actor ?? null} onChange={(value) => change({ actor: value })} />
      <Select
        label={words.what}
        placeholder={words.everything}
        clearable
        data={choices(words.kinds)}
        value={action ?? null}
        onChange={(value) => change({ action: value })}
      />
      <DateField label={words.from} value={from ?? ''} onDay={(day) => day !== null && change({ from: day })} />
      <DateField label={words.to} value={to ?? ''} onDay={(day) => day !== null && change({ to: day })} />
    </Group>
  );
}
