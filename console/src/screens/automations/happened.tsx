import type { Occurrence, OccurrenceQuery, PlannedOccurrence } from '@giftwire/sdk';
import { Select, UnstyledButton } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { giftwire } from '../../data/client.ts';
import { useFilters } from '../../data/filters.ts';
import { CsvButton } from '../../parts/csv-button.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Fault } from '../../parts/fault.tsx';
import { Go } from '../../parts/link.tsx';
import { Page } from '../../parts/page.tsx';
import { ListPages } from '../../parts/pages.tsx';
import { Foot } from '../../parts/table.tsx';
import { Waiting } from '../../parts/waiting.tsx';
import { useFormats, useWords } from '../../words/words.tsx';
import styles from './automations.module.css';
import { Clock } from './clock.tsx';
import { HappenedRow, ToComeRow } from './happened-rows.tsx';

const size = 25;
const soonest = 8;
const mostAsked = 200;
const dayMs = 86_400_000;
const filterNames = ['NOT_DONE', 'SKIPPED', 'LATE', 'WAITING', 'ASKED'] as const;
type Filter = (typeof filterNames)[number];

const queryOf: Record<Filter, OccurrenceQuery> = {
  NOT_DONE: { isIncomplete: true },
  SKIPPED: { state: 'SKIPPED' },
  LATE: { isLate: true },
  WAITING: { isWaiting: true },
  ASKED: { state: 'ASKED' },
};

/** Everything that automations did, will do and could not do, with the reason. */
export default function Happened() {
  const { screens, automations: words } = useWords();
  const { weekday } = useFormats();
  const [filters, change] = useFilters();
  const only = filterNames.find((one) => one === filters.only);
  const automationId = Number(filters.automation) || null;
  const base: OccurrenceQuery = automationId === null ? {} : { automation: automationId };
  const query = { ...base, ...(only && queryOf[only]), page: Number(filters.page) || 0, size };
  const { data: list } = useQuery({
    queryKey: ['automations', 'list'],
    queryFn: ({ signal }) => giftwire.automations.list({ signal }),
  });
  const { data: outlook } = useQuery({
    queryKey: ['automations', 'outlook'],
    queryFn: ({ signal }) => giftwire.automations.outlook({ signal }),
  });
  const { data, error, refetch } = useQuery({
    queryKey: ['automations', 'occurrences', query],
    queryFn: ({ signal }) => giftwire.automations.occurrences(query, { signal }),
    placeholderData: keepPreviousData,
  });
  const byId = new Map(list?.automations.map((one) => [one.id, one]));
  const planned = (only || query.page > 0 ? [] : (outlook ?? []))
    .filter((one) => automationId === null || one.automationId === automationId)
    .flatMap((one) => one.soon.map((planned) => ({ planned, automation: byId.get(one.automationId) })))
    .sort((a, b) => a.planned.dueAt.localeCompare(b.planned.dueAt));
  const asked = useAsked(
    base,
    planned.map((one) => one.planned),
  );
  // What a manager was asked about is in the list below.
  const toCome = planned
    .filter(({ planned: one, automation }) => !asked?.has(`${automation?.id} ${one.memberId} ${one.forDay}`))
    .slice(0, asked ? soonest : 0);
  const isEmpty = data?.content.length === 0 && toCome.length === 0;
  return (
    <Page
      title={screens.happened}
      above={<Go to="/automations">{screens.automations}</Go>}
      text={words.happenedText}
      actions={
        <CsvButton
          name="automations.csv"
          read={() => giftwire.automations.occurrencesCsv({ ...base, ...(only && queryOf[only]), bom: true })}
        />
      }
    >
      <search className={styles.chips} aria-label={words.filters}>
        <Select
          className={styles.which}
          aria-label={words.automation}
          placeholder={words.anyAutomation}
          clearable
          data={(list?.automations ?? []).map(({ id, name }) => ({ value: String(id), label: name }))}
          value={automationId === null ? null : String(automationId)}
          onChange={(chosen) => change({ automation: chosen })}
        />
        {filterNames.map((one) => (
          <Chip
            key={one}
            filter={one}
            base={base}
            isSet={only === one}
            onChange={() => change({ only: only === one ? null : one })}
          />
        ))}
      </search>
      <Fault error={error} retry={() => void refetch()} />
      {!data && !error && <Waiting lines={8} />}
      {isEmpty &&
        (only || automationId !== null ? (
          <Empty title={words.nothingFound}>{words.nothingFoundText}</Empty>
        ) : (
          <Empty title={words.nothingYet}>{words.nothingYetText}</Empty>
        ))}
      {data && !isEmpty && (
        <div className="box">
          {toCome.length > 0 && (
            <section aria-label={words.toCome}>
              <h2 className={styles.day}>{words.toCome}</h2>
              <ul>
                {toCome.map(({ planned: one, automation }) =>
                  automation ? (
                    <ToComeRow
                      key={`${automation.id} ${one.memberId} ${one.forDay}`}
                      planned={one}
                      automation={automation}
                    />
                  ) : null,
                )}
              </ul>
            </section>
          )}
          {byDay(data.content).map(([day, occurrences]) => (
            <section key={day} aria-label={weekday(day)}>
              <h2 className={styles.day}>{weekday(day)}</h2>
              <ul>
                {occurrences.map((one) => (
                  <HappenedRow key={one.id} occurrence={one} automation={byId.get(one.automationId)} />
                ))}
              </ul>
            </section>
          ))}
          {data.content.length > 0 && (
            <Foot>
              <ListPages list={data} />
            </Foot>
          )}
        </div>
      )}
      <Clock />
    </Page>
  );
}

/** Of what is to come, that which a manager was asked about: automation, person and day. Null until it is known. */
function useAsked(base: OccurrenceQuery, toCome: readonly PlannedOccurrence[]): ReadonlySet<string> | null {
  const [first, last] = [toCome[0], toCome.at(-1)];
  // In the workspace it may be another day.
  const dayOf = (time: string, days: number) => new Date(Date.parse(time) + days * dayMs).toISOString().slice(0, 10);
  const query: OccurrenceQuery = {
    ...base,
    ...{ state: 'ASKED', size: mostAsked },
    ...(first && last && { from: dayOf(first.dueAt, -1), to: dayOf(last.dueAt, 1) }),
  };
  const { data } = useQuery({
    queryKey: ['automations', 'occurrences', query],
    queryFn: ({ signal }) => giftwire.automations.occurrences(query, { signal }),
    enabled: first !== undefined,
    placeholderData: keepPreviousData,
  });
  if (first === undefined) return new Set();
  return data ? new Set(data.content.map((one) => `${one.automationId} ${one.memberId} ${one.forDay}`)) : null;
}

/** Occurrences by the day of the reader on which they were due, as the list has them. */
function byDay(occurrences: readonly Occurrence[]): [string, Occurrence[]][] {
  const days = new Map<string, Occurrence[]>();
  for (const one of occurrences) {
    const day = new Intl.DateTimeFormat('en-CA').format(new Date(one.dueAt));
    days.set(day, [...(days.get(day) ?? []), one]);
  }
  return [...days];
}

interface ChipProps {
  filter: Filter;
  base: OccurrenceQuery;
  isSet: boolean;
  onChange: () => void;
}

/** A filter with the number of what it finds. */
function Chip({ filter, base, isSet, onChange }: ChipProps) {
  const { automations: words } = useWords();
  const { number } = useFormats();
  const query = { ...base, ...queryOf[filter], size: 1 };
  const { data } = useQuery({
    queryKey: ['automations', 'occurrences', 'count', query],
    queryFn: ({ signal }) => giftwire.automations.occurrences(query, { signal }),
  });
  const count = data?.totalElements ?? 0;
  return (
    <UnstyledButton className={styles.chip} aria-pressed={isSet} onClick={onChange}>
      {words.filterNames[filter]}
      {data && <b data-red={(filter === 'NOT_DONE' && count > 0) || undefined}>{number(count)}</b>}
    </UnstyledButton>
  );
}
