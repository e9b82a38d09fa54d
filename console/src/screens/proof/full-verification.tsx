import type { LedgerVerificationRun } from '@giftwire/sdk';
import { Button, Progress } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { giftwire } from '../../data/client.ts';
import { Fault } from '../../parts/fault.tsx';
import { Icon } from '../../parts/icon.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Waiting } from '../../parts/waiting.tsx';
import { When } from '../../parts/when.tsx';
import { useFormats, useWords } from '../../words/words.tsx';
import styles from '../money/money.module.css';
import { Problems } from './ledger-proof.tsx';

const underWayMs = 1_000;
const queryKey = ['ledger', 'verifications'];

/** Starts a verification of everything, and shows how far it is and what the latest ones found. */
export function FullVerification() {
  const { money: words } = useWords();
  const client = useQueryClient();
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: ({ signal }) => giftwire.ledger.verifications({ signal }),
    refetchInterval: ({ state }) => (state.data?.verifications.some(isUnderWay) ? underWayMs : false),
  });
  const start = useMutation({
    mutationFn: () => giftwire.ledger.startVerification(),
    onSuccess: () => client.invalidateQueries({ queryKey }),
  });
  if (error) return <Fault error={error} retry={() => void refetch()} />;
  if (!data) return <Waiting />;
  const isRunning = data.verifications.some((run) => run.kind === 'FULL' && isUnderWay(run));
  return (
    <>
      <p className={`second ${styles.hint}`}>{words.fullyText}</p>
      <Button
        variant="default"
        mb={14}
        disabled={isRunning}
        loading={start.isPending}
        leftSection={<Icon name="shield" />}
        onClick={() => start.mutate()}
      >
        {words.verifyAll}
      </Button>
      <Fault error={start.error} />
      <Runs runs={data.verifications} />
    </>
  );
}

function isUnderWay({ status }: LedgerVerificationRun): boolean {
  return status !== 'FINISHED';
}

function Runs({ runs }: { runs: LedgerVerificationRun[] }) {
  const { money: words } = useWords();
  if (runs.length === 0) return <p className="quiet">{words.noRuns}</p>;
  const columns: Column<LedgerVerificationRun>[] = [
    { key: 'kind', head: words.runKind, cell: ({ kind }) => <b>{words.runKinds[kind]}</b> },
    { key: 'when', head: words.runWhen, cell: ({ requestedAt }) => <When time={requestedAt} /> },
    { key: 'outcome', head: words.runOutcome, isWide: true, cell: (run) => <RunOutcome run={run} /> },
  ];
  return <Table label={words.runs} columns={columns} rows={runs} rowKey={({ number }) => number} />;
}

function RunOutcome({ run: { status, agrees, rowsDone, rowsExpected, faults } }: { run: LedgerVerificationRun }) {
  const { money: words } = useWords();
  const { number } = useFormats();
  if (status === 'WAITING') return words.runWaiting;
  if (status === 'RUNNING') {
    const rows = words.runRows(number(rowsDone), number(rowsExpected));
    return (
      <>
        <Progress value={rowsExpected === 0 ? 0 : (rowsDone / rowsExpected) * 100} aria-label={rows} mb={4} />
        {rows}
      </>
    );
  }
  if (agrees) return words.agrees;
  return (
    <>
      <b>{words.faults(faults.length)}</b>
      <Problems faults={faults} />
    </>
  );
}
