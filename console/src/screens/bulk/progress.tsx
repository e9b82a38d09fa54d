import type { OrderApproval } from '@giftwire/sdk';
import { Button, Group, Progress as Meter } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import { findApproval } from '../../data/approval.ts';
import { giftwire } from '../../data/client.ts';
import { download } from '../../data/download.ts';
import { useCan, useHere } from '../../data/me.tsx';
import { notSent } from '../../data/not-sent.ts';
import { Empty } from '../../parts/empty.tsx';
import { Fault } from '../../parts/fault.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Go, GoButton } from '../../parts/link.tsx';
import { Section } from '../../parts/page.tsx';
import { useFormats, useWords } from '../../words/words.tsx';
import { useAskedNames } from '../approvals/asked.ts';
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

/** How far the orders of a file have come. It survives a reload: the parts resume where they were. */
export function Progress({ job, error, onGoOn, onTryRefused, onFinish }: ProgressProps) {
  const { bulk, approvals: words } = useWords();
  const { number, money, moment, list, date } = useFormats();
  const namesOf = useAskedNames();
  const seesOrders = useSeesOrders();
  const states = useStates(job);
  const approvals = useApprovals(job, states);
  const waiting = accepted(job).filter(({ requestId }) => approvals.get(requestId ?? '')?.state === 'WAITING');
  const gifts = sumOf(job.parts);
  const sent = sumOf(accepted(job));
  const refused = job.parts.filter(({ refusal }) => refusal !== null);
  const done = isDone(job);
  const first = approvals.get(waiting[0]?.requestId ?? '');
  return (
    <>
      {done && refused.length === 0 ? (
        <Empty
          title={waiting.length > 0 ? bulk.waitForApproval(sumOf(waiting)) : bulk.onTheirWay(sent)}
          action={
            <>
              <Button variant="filled" mr={8} onClick={onFinish}>
                {bulk.another}
              </Button>
              {seesOrders && <GoButton to="/orders">{bulk.seeOrders}</GoButton>}
            </>
          }
        >
          {first
            ? bulk.waitText(namesOf(first.asked) || words.noneAsked, date(first.decideBy))
            : bulk.doneText(list(costsOf(accepted(job)).map(({ total, currency }) => money(total, currency))))}
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
                <PartName part={part} isHeld={approvals.has(part.requestId ?? '')}>
                  {bulk.orderOf(number(index + 1), number(job.parts.length))}
                </PartName>
              </b>
              <span className="quiet">
                {bulk.gifts(giftsOf(part))} · {part.order.currency}
                {part.order.deliverAt && ` · ${moment(part.order.deliverAt)}`}
              </span>
              <PartState
                part={part}
                state={part.requestId === null ? null : (states.get(part.requestId) ?? null)}
                approval={approvals.get(part.requestId ?? '') ?? null}
              />
            </li>
          ))}
        </ul>
      </Section>
    </>
  );
}

/** A link to the order, or to its approval for users who do not see orders. */
function PartName({ part: { requestId }, isHeld, children }: { part: Part; isHeld: boolean; children: string }) {
  const seesOrders = useSeesOrders();
  if (requestId === null || !(seesOrders || isHeld)) return children;
  return <Go to={seesOrders ? `/orders/${requestId}` : `/approvals/${requestId}`}>{children}</Go>;
}

function useSeesOrders(): boolean {
  const can = useCan();
  const { workspace } = useHere();
  return can('orders:read') && !workspace.seesReportsOnly;
}

interface PartStateProps {
  part: Part;
  state: string | null;
  approval: OrderApproval | null;
}

function PartState({ part: { requestId, refusal }, state, approval }: PartStateProps) {
  const { bulk, approvals } = useWords();
  const namesOf = useAskedNames();
  if (refusal !== null)
    return (
      <span className={styles.why}>
        <Icon name="warn" size={16} /> {refusal}
      </span>
    );
  if (requestId === null) return <span className="quiet">{bulk.waits}</span>;
  if (approval?.state === 'WAITING')
    return (
      <span>
        <Icon name="pause" size={14} /> {bulk.waitsFor(namesOf(approval.asked) || approvals.noneAsked)}
      </span>
    );
  if (state === 'FAILED')
    return (
      <span className={styles.why}>
        <Icon name="warn" size={16} /> {approval ? bulk.declined : bulk.failed}
      </span>
    );
  return (
    <span className={state === 'COMPLETED' ? undefined : 'quiet'}>
      {state === 'COMPLETED' ? bulk.issued : bulk.accepted}
    </span>
  );
}

/** Rows that stayed behind go back as a file, to be corrected and sent later. */
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
      // An order that waits for approval stays accepted for days.
      refetchInterval: ({
        state,
      }: {
        state: { data?: { requestStatus: string } | undefined; dataUpdateCount: number };
      }) => {
        if (state.data !== undefined && state.data.requestStatus !== 'ACCEPTED') return false as const;
        return state.dataUpdateCount < 60 ? 1_000 : 15_000;
      },
    })),
    combine: (results) =>
      new Map(results.flatMap(({ data }) => (data ? [[data.requestId, data.requestStatus] as const] : []))),
  });
}

/** The approvals of the orders that are not completed. */
function useApprovals({ parts }: Job, states: ReadonlyMap<string, string>): ReadonlyMap<string, OrderApproval> {
  const can = useCan();
  const ids = parts.flatMap(({ requestId }) => requestId ?? []).filter((id) => states.get(id) !== 'COMPLETED');
  return useQueries({
    queries: ids.map((requestId) => ({
      queryKey: ['approvals', 'of order', requestId],
      queryFn: ({ signal }: { signal: AbortSignal }) => findApproval(requestId, signal),
      enabled: can('approvals:read'),
    })),
    combine: (results) => new Map(results.flatMap(({ data }) => (data ? [[data.requestId, data] as const] : []))),
  });
}

function accepted({ parts }: Job): Part[] {
  return parts.filter(({ requestId }) => requestId !== null);
}

function sumOf(parts: readonly Part[]): number {
  return parts.reduce((sum, part) => sum + giftsOf(part), 0);
}

function costsOf(parts: readonly Part[]): Total[] {
  return totalsOf(
    parts.flatMap(({ order: { orderItems, currency } }) => orderItems.map(({ amount }) => ({ amount, currency }))),
  );
}
