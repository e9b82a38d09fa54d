import type { Shoutout } from '@giftwire/sdk';
import { Button, Textarea } from '@mantine/core';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { giftwire } from '../../data/client.ts';
import { useFilters } from '../../data/filters.ts';
import { useCan } from '../../data/me.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Fault } from '../../parts/fault.tsx';
import { Feed } from '../../parts/feed.tsx';
import { nameOf } from '../../parts/name.ts';
import { Pages } from '../../parts/pages.tsx';
import { tell } from '../../parts/tell.tsx';
import { Waiting } from '../../parts/waiting.tsx';
import { useWords } from '../../words/words.tsx';
import styles from './recognition.module.css';

const size = 20;

/** Shoutouts that wait, with what decides them. A decision is for good. */
export function WaitingShoutouts() {
  const { recognition } = useWords();
  const can = useCan();
  const queries = useQueryClient();
  const [filters, change] = useFilters();
  const [declining, setDeclining] = useState<Shoutout | null>(null);
  const page = Number(filters.page ?? 0);
  const { data, error, refetch } = useQuery({
    queryKey: ['shoutouts', 'waiting', page],
    queryFn: ({ signal }) => giftwire.shoutouts.list({ page, size }, { signal }),
    placeholderData: keepPreviousData,
  });
  const decided = () => {
    for (const name of ['shoutouts', 'activities', 'reports']) void queries.invalidateQueries({ queryKey: [name] });
  };
  if (data?.totalElements === 0) return <Empty title={recognition.noWaiting}>{recognition.noWaitingText}</Empty>;
  return (
    <>
      <Fault error={error} retry={refetch} />
      {!data && !error && <Waiting lines={8} />}
      {data && (
        <>
          <Feed
            activities={data.shoutouts}
            {...(can('recognition:approve') && {
              action: (one: Shoutout) => <Decide shoutout={one} onDecided={decided} onDecline={setDeclining} />,
            })}
          />
          <div className={styles.foot}>
            <Pages
              page={data.page}
              size={data.size}
              total={data.totalElements}
              onPage={(to) => change({ page: String(to) })}
            />
          </div>
        </>
      )}
      {declining && <Decline shoutout={declining} onClose={() => setDeclining(null)} onDecided={decided} />}
    </>
  );
}

interface DecideProps {
  shoutout: Shoutout;
  onDecided: () => void;
  onDecline: (shoutout: Shoutout) => void;
}

function Decide({ shoutout, onDecided, onDecline }: DecideProps) {
  const { recognition } = useWords();
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const names = [nameOf(shoutout.sender), nameOf(shoutout.receiver)] as const;
  const approve = async () => {
    setBusy(true);
    setError(null);
    try {
      await giftwire.shoutouts.approve(shoutout.id);
      tell(recognition.approved(...names));
      onDecided();
    } catch (thrown) {
      setError(thrown);
    }
    setBusy(false);
  };
  return (
    <div className={styles.decide}>
      <div>
        <Button
          size="compact-md"
          variant="subtle"
          color="red"
          aria-label={recognition.declineOf(...names)}
          onClick={() => onDecline(shoutout)}
        >
          {recognition.decline}
        </Button>
        <Button size="compact-md" aria-label={recognition.approveOf(...names)} loading={isBusy} onClick={approve}>
          {recognition.approve}
        </Button>
      </div>
      <Fault error={error} />
    </div>
  );
}

function Decline({ shoutout, onClose, onDecided }: Omit<DecideProps, 'onDecline'> & { onClose: () => void }) {
  const { recognition } = useWords();
  const [reason, setReason] = useState('');
  return (
    <Confirm
      isOpen
      onClose={onClose}
      title={recognition.declineTitle}
      keep={recognition.keep}
      act={recognition.decline}
      onAct={async () => {
        await giftwire.shoutouts.decline(shoutout.id, reason.trim() === '' ? {} : { reason: reason.trim() });
        onDecided();
      }}
    >
      <p>{recognition.declineText(nameOf(shoutout.receiver))}</p>
      <Textarea
        mt={12}
        label={recognition.declineReason}
        description={recognition.declineReasonHint}
        maxLength={1_000}
        autosize
        minRows={2}
        value={reason}
        onChange={({ target }) => setReason(target.value)}
      />
    </Confirm>
  );
}
