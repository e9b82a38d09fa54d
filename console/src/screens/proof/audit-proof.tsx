import type { AuditVerification } from '@giftwire/sdk';
import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { giftwire } from '../../data/client.ts';
import { Fault } from '../../parts/fault.tsx';
import { Icon } from '../../parts/icon.tsx';
import { useFormats, useWords } from '../../words/words.tsx';
import styles from '../money/money.module.css';

/** Compares the audit log with its chain on request, and lists the problems found. */
export function AuditProof() {
  const { audit: words } = useWords();
  const { mutate, data, error, isPending } = useMutation({ mutationFn: () => giftwire.audit.verify() });
  return (
    <>
      <p className={`second ${styles.hint}`}>{words.chainText}</p>
      <Button variant="default" loading={isPending} leftSection={<Icon name="shield" />} onClick={() => mutate()}>
        {words.verifyChain}
      </Button>
      <div role="status">
        {isPending && <span className="said">{words.verifyingChain}</span>}
        {data && !isPending && <Outcome found={data} />}
      </div>
      <Fault error={error} />
    </>
  );
}

function Outcome({ found }: { found: AuditVerification }) {
  const { audit: words, money } = useWords();
  const { number, time } = useFormats();
  const { agrees, at, entries, removedUpTo, takenIn, unchained, head, faults } = found;
  const notes = [
    removedUpTo > 0 && words.chainRemoved(number(removedUpTo)),
    takenIn > 0 && words.chainTakenIn(number(takenIn)),
    unchained > 0 && words.chainUnchained(number(unchained)),
  ].filter((note) => note !== false);
  return (
    <div className={styles.outcome} data-agrees={agrees}>
      <Icon name={agrees ? 'ok' : 'warn'} />
      <div>
        <b>{agrees ? money.agrees : money.faults(faults.length)}</b>
        <p>{words.chainAgrees(number(entries), time(at))}</p>
        {notes.map((note) => (
          <p key={note}>{note}</p>
        ))}
        {agrees && head && (
          <p>
            {words.chainHead}: <code className={`small ${styles.hash}`}>{head.hash}</code>
          </p>
        )}
        {!agrees && (
          <ul>
            {faults.map(({ number: entry, problem }) => (
              <li key={`${entry} ${problem}`}>
                {entry !== null && `${money.entry(number(entry))}: `}
                {problem}
              </li>
            ))}
          </ul>
        )}
      </div>
    </div>
  );
}
