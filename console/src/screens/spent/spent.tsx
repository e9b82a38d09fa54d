import type { Actor, Redemption, RedemptionQuery } from '@giftwire/sdk';
import { Button, Group, SegmentedControl } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { giftwire } from '../../data/client.ts';
import { useFilters } from '../../data/filters.ts';
import { useCan } from '../../data/me.tsx';
import { CsvButton } from '../../parts/csv-button.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Fault } from '../../parts/fault.tsx';
import { Go } from '../../parts/link.tsx';
import { Money } from '../../parts/money.tsx';
import { nameOf } from '../../parts/name.ts';
import { Page } from '../../parts/page.tsx';
import { useTurning } from '../../parts/pages.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Waiting } from '../../parts/waiting.tsx';
import { When } from '../../parts/when.tsx';
import { useWords } from '../../words/words.tsx';
import { Decide } from './decide.tsx';
import { RedemptionPill } from './redemption-pill.tsx';
import styles from './spent.module.css';

const size = 25;
const any = 'ANY';
type State = NonNullable<RedemptionQuery['state']>;

/** Redemptions, and the requests to fulfil. */
export default function Spent() {
  const { screens, spending: words } = useWords();
  const [filters, change] = useFilters();
  const state = filters.state as State | undefined;
  return (
    <Page title={screens.spent} text={words.spentText}>
      <Group justify="space-between" gap="8px 16px" mb={16}>
        <SegmentedControl
          className={styles.states}
          aria-label={words.state}
          value={state ?? any}
          data={[
            { value: 'REQUESTED', label: words.states.REQUESTED },
            { value: any, label: words.anyState },
            { value: 'DONE', label: words.states.DONE },
            { value: 'REVERSED', label: words.states.REVERSED },
            { value: 'DECLINED', label: words.states.DECLINED },
          ]}
          onChange={(chosen) => change({ state: chosen === any ? null : chosen })}
        />
        <CsvButton
          name="redemptions.csv"
          read={() => giftwire.redemptions.csv({ ...(state && { state }), bom: true })}
        />
      </Group>
      <List key={state} state={state} />
    </Page>
  );
}

function List({ state }: { state: State | undefined }) {
  const { spending: words, audit } = useWords();
  const nameOfActor = (actor: Actor | null) => actor && (actor.name ?? audit.actors[actor.is]);
  const canDecide = useCan()('gifts:manage');
  const [decided, setDecided] = useState<{ redemption: Redemption; decision: 'fulfil' | 'decline' } | null>(null);
  const pages = useInfiniteQuery({
    queryKey: ['redemptions', 'list', state ?? null],
    queryFn: ({ pageParam, signal }) =>
      giftwire.redemptions.list({ size, ...(state && { state }), ...(pageParam && { after: pageParam }) }, { signal }),
    initialPageParam: null as number | null,
    getNextPageParam: ({ next }) => next,
  });
  const { rows, isEmpty, foot } = useTurning(pages, ({ redemptions }) => redemptions, { size });
  if (pages.error) return <Fault error={pages.error} retry={() => void pages.refetch()} />;
  if (!pages.data) return <Waiting lines={6} />;
  if (isEmpty)
    return state === 'REQUESTED' ? (
      <Empty title={words.noRequests}>{words.noRequestsText}</Empty>
    ) : (
      <Empty title={words.nothingSpent}>{words.nothingSpentText}</Empty>
    );
  const columns: Column<Redemption>[] = [
    {
      key: 'who',
      head: words.who,
      cell: ({ giftId, recipient }) => (
        <Go to={`/gifts/${giftId}`}>{nameOf(recipient, words.giftOf(String(giftId)))}</Go>
      ),
    },
    {
      key: 'amount',
      head: words.amount,
      isNumber: true,
      cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
    },
    {
      key: 'option',
      head: words.option,
      cell: ({ spendingOptionName, retailer, requestText, redeemedBy, reference, note }) => {
        const more = [requestText, nameOfActor(redeemedBy), reference, note].filter(Boolean).join(' · ');
        return (
          <span>
            {[...new Set([spendingOptionName, retailer])].filter(Boolean).join(', ')}
            {more && <div className="quiet small">{more}</div>}
          </span>
        );
      },
    },
    {
      key: 'state',
      head: words.state,
      cell: ({ state: is, finishedBy }) => (
        <span>
          <RedemptionPill state={is} />
          {finishedBy && <div className="quiet small">{nameOfActor(finishedBy)}</div>}
        </span>
      ),
    },
    { key: 'when', head: words.when, isOptional: true, cell: ({ redeemedAt }) => <When time={redeemedAt} /> },
    {
      key: 'act',
      head: words.decide,
      hidesHead: true,
      cell: (redemption) =>
        canDecide &&
        redemption.state === 'REQUESTED' && (
          <span className={styles.decide}>
            <Button size="compact-sm" onClick={() => setDecided({ redemption, decision: 'fulfil' })}>
              {words.fulfil}
            </Button>
            <Button
              size="compact-sm"
              variant="subtle"
              color="red"
              onClick={() => setDecided({ redemption, decision: 'decline' })}
            >
              {words.decline}
            </Button>
          </span>
        ),
    },
  ];
  return (
    <>
      <Table label={words.list} columns={columns} rows={rows} rowKey={({ id }) => id} foot={foot} />
      <Decide asked={decided} onClose={() => setDecided(null)} />
    </>
  );
}
