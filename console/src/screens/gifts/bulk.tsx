import type { BulkAction, GiftTotals, NewBulkAction } from '@giftwire/sdk';
import { Button, CloseButton, Group, Progress } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { giftwire } from '../../data/client.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { Icon } from '../../parts/icon.tsx';
import { useFormats, useWords } from '../../words/words.tsx';
import { ExtendDialog } from './dialogs.tsx';
import styles from './gifts.module.css';
import { sumOf } from './standings.ts';

type Filter = NewBulkAction['gifts'];

interface BulkOptions {
  /** Which gifts the buttons are about. */
  gifts: Filter;
  totals: GiftTotals | undefined;
  /** The words of the button that cancels; absent: with the number of gifts. */
  cancel?: string;
  /** Runs of these gifts are shown too, after the page was loaded again. */
  about?: Filter;
  onStarted?: () => void;
}

const pollMs = 700;

/**
 * Cancels, resends or extends many gifts with one request, which the service carries out in the background. Returns the buttons, and how far it is or what
 * came of it. A run that was begun before the page was loaded again is found by its filter.
 */
export function useBulkActions({ gifts, totals, cancel, about, onStarted }: BulkOptions): {
  buttons: ReactNode;
  outcome: ReactNode;
} {
  const { gifts: words } = useWords();
  const { run, setRun, start } = useRun(about ?? gifts, onStarted);
  const [dialog, setDialog] = useState<BulkAction['action'] | null>(null);
  const close = () => setDialog(null);
  const { unclaimed, issued } = countsOf(totals);
  const isBusy = run !== null && run.status !== 'COMPLETED';
  const buttons = (
    <>
      <Button disabled={isBusy || issued === 0} onClick={() => setDialog('RESEND')}>
        {words.resend}
      </Button>
      <Button disabled={isBusy || unclaimed === 0} onClick={() => setDialog('EXTEND')}>
        {words.extend}
      </Button>
      <Button variant="subtle" color="red" disabled={isBusy || unclaimed === 0} onClick={() => setDialog('CANCEL')}>
        {cancel ?? words.cancelMany(unclaimed)}
      </Button>
      <ExtendDialog
        isOpen={dialog === 'EXTEND'}
        onClose={close}
        title={words.extendManyTitle(unclaimed)}
        onExtend={(expiresOn) => start({ action: 'EXTEND', gifts, expiresOn })}
      />
      <Confirm
        isOpen={dialog === 'RESEND'}
        onClose={close}
        title={words.resendManyTitle(issued)}
        keep={words.back}
        act={words.resendMany(issued)}
        isDangerous={false}
        onAct={() => start({ action: 'RESEND', gifts: 'ids' in gifts ? gifts : { ...gifts, state: 'ISSUED' } })}
      >
        {words.resendManyText}
      </Confirm>
      <Confirm
        isOpen={dialog === 'CANCEL'}
        onClose={close}
        title={words.cancelManyTitle(unclaimed)}
        keep={words.keepMany}
        act={words.cancelMany(unclaimed)}
        onAct={() => start({ action: 'CANCEL', gifts })}
      >
        <CancelText totals={totals} />
      </Confirm>
    </>
  );
  return { buttons, outcome: run && <BulkOutcome run={run} onClose={() => setRun(null)} /> };
}

/** The run that is shown, and how one begins. */
function useRun(gifts: Filter, onStarted: (() => void) | undefined) {
  const queries = useQueryClient();
  const [run, setRun] = useState<BulkAction | null>(null);
  const isOpen = run !== null && run.status !== 'COMPLETED';
  const earlier = useQuery({
    queryKey: ['bulk-actions', 'latest'],
    queryFn: ({ signal }) => giftwire.bulkActions.list({ size: 10 }, { signal }),
    staleTime: 0,
  });
  const found = earlier.data?.bulkActions.find((one) => one.status !== 'COMPLETED' && isAbout(one, gifts));
  useEffect(() => {
    if (found) setRun((shown) => shown ?? found);
  }, [found]);
  const latest = useQuery({
    queryKey: ['bulk-actions', run?.id],
    queryFn: ({ signal }) => giftwire.bulkActions.retrieve(run?.id as number, { signal }),
    enabled: isOpen,
    refetchInterval: pollMs,
    staleTime: 0,
  });
  useEffect(() => {
    if (!latest.data || latest.data.id !== run?.id || run.status === 'COMPLETED') return;
    setRun(latest.data);
    if (latest.data.status !== 'COMPLETED') return;
    for (const name of ['gifts', 'orders', 'reports', 'budgets']) void queries.invalidateQueries({ queryKey: [name] });
  }, [latest.data, run, queries]);
  const start = async (asked: NewBulkAction) => {
    setRun(await giftwire.bulkActions.create(asked));
    onStarted?.();
  };
  return { run, setRun, start };
}

/** Whether a run is about these gifts. Resending leaves out those that are claimed. */
function isAbout({ gifts }: BulkAction, asked: Filter): boolean {
  const textOf = ({ state: _state, ...filter }: Filter) => JSON.stringify(Object.entries(filter).sort());
  return textOf(gifts) === textOf(asked);
}

function countsOf(totals: GiftTotals | undefined) {
  const countOf = (...states: string[]) =>
    (totals?.totals ?? []).filter(({ state }) => states.includes(state)).reduce((sum, { gifts }) => sum + gifts, 0);
  return {
    issued: countOf('ISSUED'),
    unclaimed: countOf('ISSUED', 'EXPIRED'),
    claimed: countOf('CLAIMED', 'PARTLY_REDEEMED', 'REDEEMED'),
  };
}

function CancelText({ totals }: { totals: GiftTotals | undefined }) {
  const { gifts: words } = useWords();
  const formats = useFormats();
  const { claimed, issued } = countsOf(totals);
  const returned =
    totals &&
    sumOf(
      { ...totals, totals: totals.totals.filter(({ state }) => state === 'ISSUED') },
      ({ amount }) => amount,
      formats,
    );
  return (
    <>
      {words.cancelManyText} {issued > 0 && returned && words.cancelManyMoney(returned)}{' '}
      {claimed > 0 && words.claimedStay(claimed)}
    </>
  );
}

/** How far a run is, or what came of it. */
function BulkOutcome({ run, onClose }: { run: BulkAction; onClose: () => void }) {
  const { gifts: words, parts } = useWords();
  const { number } = useFormats();
  if (run.status !== 'COMPLETED') {
    const percent = run.total === 0 ? 0 : (100 * run.done) / run.total;
    return (
      <section className={styles.outcome} aria-label={words.bulk.running[run.action]}>
        <Group gap={12} wrap="nowrap">
          <b>{words.bulk.running[run.action]}</b>
          <Progress flex={1} value={percent} aria-label={words.bulk.running[run.action]} />
          <span className="figure">
            {run.status === 'SEARCHING' ? words.bulk.searching : words.working(number(run.done), number(run.total))}
          </span>
        </Group>
        <p className="quiet small">{words.bulk.continues}</p>
      </section>
    );
  }
  const notes = [
    ...(run.unchanged > 0 ? [words.bulk.unchanged(run.unchanged)] : []),
    ...run.reasons.map(({ reason, gifts }) => words.bulk.reasons[reason](gifts)),
  ];
  return (
    <section className={styles.outcome} role="status" aria-label={words.bulk.outcome}>
      <Group justify="space-between" wrap="nowrap" align="start">
        <div>
          <b className={styles.outcomeTitle}>
            <Icon name={run.changed > 0 ? 'ok' : 'warn'} size={16} />
            {words.bulk.done[run.action](run.changed)}
          </b>
          {notes.length > 0 && (
            <ul>
              {notes.map((note) => (
                <li key={note}>{note}</li>
              ))}
            </ul>
          )}
        </div>
        <CloseButton aria-label={parts.close} onClick={onClose} />
      </Group>
    </section>
  );
}
