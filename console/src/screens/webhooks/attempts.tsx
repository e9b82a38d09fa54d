import type { Webhook, WebhookAttempt } from '@giftwire/sdk';
import { Button, Group, NumberInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { giftwire } from '../../data/client.ts';
import { useCan } from '../../data/me.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Fault } from '../../parts/fault.tsx';
import { Pill } from '../../parts/state-pill.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { tell } from '../../parts/tell.tsx';
import { Waiting } from '../../parts/waiting.tsx';
import { When } from '../../parts/when.tsx';
import { useFormats, useWords } from '../../words/words.tsx';
import { type AttemptGroup, eventsOf, groupAttempts } from './group-attempts.ts';
import styles from './webhooks.module.css';

/** The latest attempts with what the endpoint answered, equal failures in one line, and a button to post each event again. */
export function Attempts({ webhook }: { webhook: Webhook }) {
  const { webhooks, eventNames } = useWords().integrations;
  const { number } = useFormats();
  const canRead = useCan()('events:read');
  const canManage = useCan()('webhooks:manage');
  const queries = useQueryClient();
  const { data, error, refetch } = useQuery({
    queryKey: ['webhooks', webhook.id, 'attempts'],
    queryFn: ({ signal }) => giftwire.webhooks.attempts(webhook.id, { size: 50 }, { signal }),
    refetchInterval: 5_000,
  });
  const replay = useMutation({
    mutationFn: (eventId: string) => giftwire.webhooks.replay(webhook.id, { eventId }),
    onSuccess: () => {
      tell(webhooks.replayed);
      return queries.invalidateQueries({ queryKey: ['webhooks'] });
    },
  });
  const replayButton = ({ eventId }: WebhookAttempt) =>
    canManage && (
      <Button
        size="compact-sm"
        aria-label={`${webhooks.replay} ${eventId}`}
        loading={replay.isPending && replay.variables === eventId}
        onClick={() => replay.mutate(eventId)}
      >
        {webhooks.replay}
      </Button>
    );
  const oneEvent = ({ eventId, type }: WebhookAttempt) => (
    <div>
      <b>{(type && eventNames[type as keyof typeof eventNames]) ?? type ?? webhooks.removedEvent}</b>
      <div className="quiet small">{[type, eventId].filter(Boolean).join(', ')}</div>
      {canRead && type && <Payload eventId={eventId} />}
    </div>
  );
  const columns: Column<AttemptGroup>[] = [
    {
      key: 'event',
      head: webhooks.event,
      cell: (group) => {
        const [latest, ...others] = group.attempts;
        if (others.length === 0) return oneEvent(latest);
        const count = group.attempts.length;
        const events = eventsOf(group);
        return (
          <details>
            <summary>
              <b>{webhooks.failedAttempts(count, number(count))}</b>{' '}
              <span className="quiet small">{webhooks.ofEvents(events.length, number(events.length))}</span>
            </summary>
            <ul className={styles.attempts}>
              {events.map((attempt) => (
                <li key={attempt.eventId}>
                  {oneEvent(attempt)}
                  <span className="quiet small">
                    <When time={attempt.attemptedAt} />
                  </span>
                  {replayButton(attempt)}
                </li>
              ))}
            </ul>
          </details>
        );
      },
    },
    {
      key: 'when',
      head: webhooks.when,
      cell: ({ attempts: [latest, ...others] }) => (
        <>
          {others.length > 0 && <span className="quiet small">{webhooks.latest} </span>}
          <When time={latest.attemptedAt} />
        </>
      ),
    },
    { key: 'answer', head: webhooks.answer, isWide: true, cell: ({ attempts }) => <Answer attempt={attempts[0]} /> },
    {
      key: 'took',
      head: webhooks.took,
      isNumber: true,
      isOptional: true,
      cell: ({ attempts }) => (attempts.length === 1 ? `${number(attempts[0].durationMs)} ms` : ''),
    },
  ];
  const actions: Column<AttemptGroup>[] = [
    {
      key: 'replay',
      head: webhooks.replay,
      hidesHead: true,
      cell: ({ attempts }) => (attempts.length === 1 ? replayButton(attempts[0]) : ''),
    },
  ];
  return (
    <>
      <Fault error={error ?? replay.error} retry={error ? () => void refetch() : undefined} />
      {!data && !error && <Waiting />}
      {data?.length === 0 && <Empty title={webhooks.noAttempts}>{webhooks.noAttemptsText}</Empty>}
      {data && data.length > 0 && (
        <Table
          label={webhooks.attempts}
          columns={canManage ? [...columns, ...actions] : columns}
          rows={groupAttempts(data)}
          rowKey={({ key }) => key}
        />
      )}
      {canManage && <ReplayFrom webhook={webhook} />}
    </>
  );
}

/** What was posted, read when a user opens it. */
function Payload({ eventId }: { eventId: string }) {
  const { webhooks } = useWords().integrations;
  const [isOpen, setOpen] = useState(false);
  const number = Number(eventId.split('_').at(-1));
  const { data, error } = useQuery({
    queryKey: ['events', number],
    queryFn: ({ signal }) => giftwire.events.list({ after: number - 1, size: 1 }, { signal }),
    enabled: isOpen,
  });
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="small">{webhooks.payload}</summary>
      <Fault error={error} />
      {data?.events[0] && <pre className="raw">{JSON.stringify(data.events[0], null, 2)}</pre>}
    </details>
  );
}

function Answer({ attempt: { status, error, answer, succeeded } }: { attempt: WebhookAttempt }) {
  const { webhooks } = useWords().integrations;
  return (
    <div>
      <Pill tone={succeeded ? 'green' : 'red'} icon={succeeded ? 'ok' : 'warn'}>
        {status === null ? webhooks.noAnswer : String(status)}
      </Pill>{' '}
      {!succeeded && error && <span className="second">{error}</span>}
      {answer && <code className="raw">{answer.slice(0, 200)}</code>}
    </div>
  );
}

/** Posts everything from a number once more, for a receiver that has lost its data. */
function ReplayFrom({ webhook }: { webhook: Webhook }) {
  const { webhooks } = useWords().integrations;
  const queries = useQueryClient();
  const [from, setFrom] = useState<number | string>('');
  const { mutate, isPending, error } = useMutation({
    mutationFn: (first: number) => giftwire.webhooks.replay(webhook.id, { from: first }),
    onSuccess: (_, first) => {
      tell(webhooks.replayedFrom(first));
      return queries.invalidateQueries({ queryKey: ['webhooks'] });
    },
  });
  return (
    <Group align="end" gap={8} mt={24}>
      <NumberInput
        label={webhooks.replayFrom}
        description={webhooks.replayFromHint}
        placeholder={webhooks.number}
        min={1}
        allowDecimal={false}
        hideControls
        value={from}
        onChange={setFrom}
        error={error?.message}
      />
      <Button loading={isPending} disabled={typeof from !== 'number'} onClick={() => mutate(from as number)}>
        {webhooks.replay}
      </Button>
    </Group>
  );
}
