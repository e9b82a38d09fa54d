import type { ActorKind, AuditEntry } from '@giftwire/sdk';
import { Button, Group, Select, TextInput } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { giftwire } from '../../data/client.ts';
import { type Filters, useFilters } from '../../data/filters.ts';
import { CsvButton } from '../../parts/csv-button.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Fault } from '../../parts/fault.tsx';
import { Page } from '../../parts/page.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Waiting } from '../../parts/waiting.tsx';
import { When } from '../../parts/when.tsx';
import { useFormats, useWords, type Words } from '../../words/words.tsx';
import { detailText } from './detail.ts';

/** Who did what, the latest first. */
export default function Audit() {
  const { screens, audit: words } = useWords();
  const [filters] = useFilters();
  const asked = queryOf(filters);
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: ['audit', asked],
    queryFn: ({ pageParam, signal }) =>
      giftwire.audit.read({ ...asked, ...(pageParam !== null && { after: pageParam }) }, { signal }),
    initialPageParam: null as number | null,
    getNextPageParam: ({ next }) => next,
  });
  const rows = data?.pages.flatMap(({ entries }) => entries);
  const more = hasNextPage && (
    <Button size="compact-sm" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
      {words.more}
    </Button>
  );
  const csv = <CsvButton name="audit-log.csv" read={() => giftwire.audit.csv(asked)} />;
  return (
    <Page title={screens.audit} text={words.text} actions={csv}>
      <FilterLine />
      <Fault error={error} retry={() => void refetch()} />
      {!rows && !error && <Waiting />}
      {rows?.length === 0 && <Empty title={words.none}>{words.noneText}</Empty>}
      {rows && rows.length > 0 && <EntryTable entries={rows} foot={more} />}
    </Page>
  );
}

function queryOf({ actor, action, from, to }: Filters) {
  return {
    ...(actor && { actor: actor as ActorKind }),
    ...(action && { action }),
    ...(from && { from }),
    ...(to && { to }),
  };
}

function FilterLine() {
  const { audit: words } = useWords();
  const [{ actor, action, from, to }, change] = useFilters();
  const choices = (labels: Record<string, string>) =>
    Object.entries(labels).map(([value, label]) => ({ value, label }));
  return (
    <Group gap={8} mb={16} align="end" className="filling">
      <Select
        label={words.who}
        placeholder={words.allActors}
        clearable
        data={choices(words.actors)}
        value={actor ?? null}
        onChange={(value) => change({ actor: value })}
      />
      <Select
        label={words.what}
        placeholder={words.everything}
        clearable
        data={choices(words.kinds)}
        value={action ?? null}
        onChange={(value) => change({ action: value })}
      />
      <TextInput
        type="date"
        label={words.from}
        value={from ?? ''}
        onChange={({ target }) => change({ from: target.value })}
      />
      <TextInput
        type="date"
        label={words.to}
        value={to ?? ''}
        onChange={({ target }) => change({ to: target.value })}
      />
    </Group>
  );
}

function EntryTable({ entries, foot }: { entries: readonly AuditEntry[]; foot: React.ReactNode }) {
  const { screens, audit: words, users, account } = useWords();
  const { moment } = useFormats();
  const columns: Column<AuditEntry>[] = [
    {
      key: 'what',
      head: words.what,
      cell: (entry) => (
        <span>
          <b>{entry.actorName ?? words.actors[entry.actor]}</b> {words.actions[entry.action] ?? entry.action}
          <div className="quiet small">{subjectText(entry, words)}</div>
        </span>
      ),
    },
    {
      key: 'details',
      head: words.details,
      isOptional: true,
      cell: ({ detail }) => (
        <span className="quiet small">
          {detailText(detail, { ...words, moment, values: { ...users.roles, ...account.ways, ...words.values } })}
        </span>
      ),
    },
    { key: 'when', head: words.when, isNumber: true, cell: ({ at }) => <When time={at} /> },
  ];
  return <Table label={screens.audit} columns={columns} rows={entries} rowKey={({ id }) => id} foot={foot} />;
}

/** What it is about, and what kind of caller did it, unless that is a person in the console. */
function subjectText({ actor, actorId, actorName, subjectId, subjectName }: AuditEntry, words: Words['audit']): string {
  const isAboutSelf = actor === 'USER' && String(actorId) === subjectId;
  const subject = isAboutSelf ? null : (subjectName ?? subjectId);
  const kind = actorName !== null && actor !== 'USER' ? words.actors[actor] : null;
  return [subject, kind].filter(Boolean).join(' · ');
}
