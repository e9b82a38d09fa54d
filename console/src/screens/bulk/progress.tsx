import { Button, Group, Progress as Meter } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import { giftwire } from '../../data/client.ts';
import { download } from '../../data/download.ts';
import { useCan } from '../../data/me.tsx';
import { notSent } from '../../data/not-sent.ts';
import { Empty } from '../../parts/empty.tsx';
import { Fault } from '../../parts/fault.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Go, GoButton } from '../../parts/link.tsx';
import { Section } from '../../parts/page.tsx';
import { useFormats, useWords } from '../../words/words.tsx';
import styles from './bulk.module.css';
import { giftsOf, isDone, type Job, type Part } from './job/plan.ts';
import { type Total, totalsOf } from './verdicts.ts';

interface ProgressProps {
  job: Job;
  error: unknown;
  onGoOn: () => void;
  onTryRefused: () => void;
  onFinish: () => void;
}

/** How far the orders of a file have come. It survives a reload: the parts go on where they were. */
export function Progress({ job, error, onGoOn, onTryRefused, onFinish }: ProgressProps) {
  const { bulk } = useWords();
  const { number, money, moment, list } = useFormats();
  const states = useStates(job);
  const gifts = job.parts.reduce((sum, part) => sum + giftsOf(part), 0);
  const accepted = job.parts.filter(({ requestId }) => requestId !== null);
  const sent = accepted.reduce((sum, part) => sum + giftsOf(part), 0);
  const refused = job.parts.filter(({ refusal }) => refusal !== null);
  const done = isDone(job);
  return (
    <>
      {done && refused.length === 0 ? (
        <Empty
          title={bulk.onTheirWay(sent)}
          action={
            <>
              <Button variant="filled" mr={8} onClick={onFinish}>
                {bulk.another}
              </Button>
              <GoButton to="/orders">{bulk.seeOrders}</GoButton>
            </>
          }
        >
          {bulk.doneText(list(costsOf(accepted).map(({ total, currency }) => money(total, currency))))}
        </Empty>
      ) : (
        <div className={styles.running}>
          <Meter value={(sent / gifts) * 100} size={10} aria-label={bulk.progress} />
          <p role="status">{bulk.sentOf(number(sent), number(gifts))}</p>
          {!done && !error && <p className="quiet">{bulk.mayClose}</p>}
          <Fault error={notSent(error, bulk)} retry={onGoOn} />
          {done && (
            <>
              <p className="quiet">{bulk.refusedText}</p>
              <Group gap={8}>
                <Button onClick={onTryRefused}>{bulk.tryRefused}</Button>
                <Button onClick={onFinish}>{bulk.another}</Button>
              </Group>
            </>
          )}
        </div>
      )}
      {job.left && <Left left={job.left} />}
      <Section title={bulk.orders} beside={bulk.ordersText}>
        <ul className={`box ${styles.parts}`}>
          {job.parts.map((part, index) => (
            <li key={part.key}>
              <b>
                <PartName part={part}>{bulk.orderOf(number(index + 1), number(job.parts.length))}</PartName>
              </b>
              <span className="quiet">
                {bulk.gifts(giftsOf(part))} · {part.order.currency}
                {part.order.deliverAt && ` · ${moment(part.order.deliverAt)}`}
              </span>
              <PartState part={part} state={part.requestId === null ? null : (states.get(part.requestId) ?? null)} />
            </li>
          ))}
        </ul>
      </Section>
    </>
  );
}

/** Leads to the order, where the person may see orders. */
function PartName({ part: { requestId }, children }: { part: Part; children: string }) {
  const can = useCan();
  return requestId !== null && can('orders:read') ? <Go to={`/orders/${requestId}`}>{children}</Go> : children;
}

function PartState({ part: { requestId, refusal }, state }: { part: Part; state: string | null }) {
  const { bulk } = useWords();
  if (refusal !== null)
    return (
      <span className={styles.why}>
        <Icon name="warn" size={16} /> {refusal}
      </span>
    );
  if (requestId === null) return <span className="quiet">{bulk.waits}</span>;
  if (state === 'FAILED')
    return (
      <span className={styles.why}>
        <Icon name="warn" size={16} /> {bulk.failed}
      </span>
    );
  return (
    <span className={state === 'COMPLETED' ? undefined : 'quiet'}>
      {state === 'COMPLETED' ? bulk.issued : bulk.accepted}
    </span>
  );
}

/** Rows that stayed behind go back as a file, to be put right and sent later. */
function Left({ left: { rows, csv } }: { left: NonNullable<Job['left']> }) {
  const { bulk } = useWords();
  return (
    <p className={styles.choices}>
      <span className="second">{bulk.stayedBehind(rows)}</span>
      <Button
        size="compact-sm"
        leftSection={<Icon name="download" size={16} />}
        onClick={() => void download(bulk.rejectedName, csv)}
      >
        {bulk.downloadRows(rows)}
      </Button>
    </p>
  );
}

function useStates({ parts }: Job): ReadonlyMap<string, string> {
  const can = useCan();
  const ids = parts.flatMap(({ requestId }) => requestId ?? []);
  return useQueries({
    queries: ids.map((requestId) => ({
      queryKey: ['orders', requestId, 'status'],
      queryFn: ({ signal }: { signal: AbortSignal }) => giftwire.orders.status(requestId, { signal }),
      enabled: can('orders:read'),
      refetchInterval: ({ state }: { state: { data?: { requestStatus: string } | undefined } }) =>
        state.data === undefined || state.data.requestStatus === 'ACCEPTED' ? (1_000 as const) : (false as const),
    })),
    combine: (results) =>
      new Map(results.flatMap(({ data }) => (data ? [[data.requestId, data.requestStatus] as const] : []))),
  });
}

function costsOf(parts: readonly Part[]): Total[] {
  return totalsOf(
    parts.flatMap(({ order: { orderItems, currency } }) => orderItems.map(({ amount }) => ({ amount, currency }))),
  );
}
