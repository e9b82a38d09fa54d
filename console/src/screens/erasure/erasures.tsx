import type { PersonErasure } from '@giftwire/sdk';
import { SegmentedControl } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { giftwire } from '../../data/client.ts';
import { useFilters } from '../../data/filters.ts';
import { Empty } from '../../parts/empty.tsx';
import { Fault } from '../../parts/fault.tsx';
import { Go } from '../../parts/link.tsx';
import { Page } from '../../parts/page.tsx';
import { ListPages } from '../../parts/pages.tsx';
import { Pill } from '../../parts/state-pill.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Waiting } from '../../parts/waiting.tsx';
import { When } from '../../parts/when.tsx';
import { useFormats, useWords } from '../../words/words.tsx';
import styles from './erasure.module.css';

const size = 20;
const tones = { REQUESTED: 'amber', WAITING: 'amber', RUNNING: 'blue', DONE: 'neutral', STOPPED: 'neutral' } as const;
const icons = { REQUESTED: 'person', WAITING: 'clock', RUNNING: 'repeat', DONE: 'ok', STOPPED: 'close' } as const;

/** Whose erasure was asked for: a second person finds here what waits for them. */
export default function Erasures() {
  const { screens, erasure: words, people } = useWords();
  const [filters, change] = useFilters();
  const ended = filters.show === 'ended';
  const page = Number(filters.page ?? 0);
  const { data, error, refetch } = useQuery({
    queryKey: ['people', 'erasures', ended, page],
    queryFn: ({ signal }) => giftwire.erasures.list({ state: ended ? 'ENDED' : 'OPEN', page, size }, { signal }),
  });
  return (
    <Page title={screens.erasures} text={words.listText} above={<Go to="/people">{people.title}</Go>}>
      <SegmentedControl
        mb={16}
        className={styles.choice}
        aria-label={words.state}
        value={ended ? 'ended' : 'open'}
        data={[
          { value: 'open', label: words.open },
          { value: 'ended', label: words.ended },
        ]}
        onChange={(chosen) => change({ show: chosen === 'ended' ? 'ended' : null, page: null })}
      />
      <Fault error={error} retry={() => void refetch()} />
      {!data && !error && <Waiting lines={4} />}
      {data?.totalElements === 0 &&
        (ended ? (
          <Empty title={words.nothingEnded}>{words.nothingEndedText}</Empty>
        ) : (
          <Empty title={words.none}>{words.noneText}</Empty>
        ))}
      {data && data.totalElements > 0 && <List erasures={data.erasures} foot={<ListPages list={data} />} />}
    </Page>
  );
}

function List({ erasures, foot }: { erasures: readonly PersonErasure[]; foot: ReactNode }) {
  const { erasure: words, screens, audit } = useWords();
  const { moment } = useFormats();
  const columns: Column<PersonErasure>[] = [
    {
      key: 'person',
      head: words.person,
      cell: ({ memberId, name }) => (
        <Go to={`/people/${memberId}/erase`}>{name ?? words.numbered(String(memberId))}</Go>
      ),
    },
    {
      key: 'asked',
      head: words.askedFor,
      cell: ({ requestedBy, requestedAt }) => (
        <span>
          <When time={requestedAt} />
          <div className="quiet small">{requestedBy.name ?? audit.actors[requestedBy.is]}</div>
        </span>
      ),
    },
    {
      key: 'state',
      head: words.state,
      cell: ({ state, dueAt, doneAt }) => (
        <span>
          <Pill tone={tones[state]} icon={icons[state]}>
            {words.states[state]}
          </Pill>
          {state === 'WAITING' && dueAt && <div className="quiet small">{words.steps.pauseUntil(moment(dueAt))}</div>}
          {doneAt && <div className="quiet small">{moment(doneAt)}</div>}
        </span>
      ),
    },
  ];
  return (
    <Table label={screens.erasures} columns={columns} rows={erasures} rowKey={({ memberId }) => memberId} foot={foot} />
  );
}
