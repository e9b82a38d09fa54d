import type { LedgerVerification } from '@giftwire/sdk';
import { Button, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { giftwire } from '../../data/client.ts';
import { Fault } from '../../parts/fault.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Go } from '../../parts/link.tsx';
import { useFormats, useWords } from '../../words/words.tsx';
import styles from '../money/money.module.css';

const hash = /^[0-9a-f]{64}$/;

/** Compares what is new and what can still be paid out on request, and lists the problems found. */
export function LedgerProof() {
  const { money: words } = useWords();
  const [kept, setKept] = useState('');
  const head = kept.trim().toLowerCase();
  const [isWrong, setWrong] = useState(false);
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: () => giftwire.ledger.verify(head === '' ? {} : { head }),
  });
  const verify = (event: FormEvent) => {
    event.preventDefault();
    const isRight = head === '' || hash.test(head);
    setWrong(!isRight);
    if (isRight) mutate();
  };
  return (
    <>
      <p className={`second ${styles.hint}`}>{words.proofText}</p>
      <form className={styles.proof} onSubmit={verify}>
        <TextInput
          label={words.kept}
          description={words.keptHint}
          value={kept}
          spellCheck={false}
          error={isWrong ? words.notHash : null}
          onChange={({ currentTarget }) => setKept(currentTarget.value)}
        />
        <Button type="submit" loading={isPending} leftSection={<Icon name="shield" />}>
          {words.verify}
        </Button>
      </form>
      <div role="status">
        {isPending && <span className="said">{words.verifying}</span>}
        {data && !isPending && <Outcome found={data} />}
      </div>
      <Fault error={error} />
    </>
  );
}

function Outcome({ found: { agrees, at, chains, entries, faults, checkpoint } }: { found: LedgerVerification }) {
  const { money: words } = useWords();
  const { number, time, moment, date } = useFormats();
  return (
    <div className={styles.outcome} data-agrees={agrees}>
      <Icon name={agrees ? 'ok' : 'warn'} />
      <div>
        <b>{agrees ? words.agrees : words.faults(faults.length)}</b>
        <p>{agrees ? words.agreesText(number(entries), number(chains), time(at)) : words.faultsText}</p>
        {agrees && checkpoint && (
          <p>{words.checkpoint(number(checkpoint.entries), moment(checkpoint.at), date(checkpoint.fullAt))}</p>
        )}
        {!agrees && <Problems faults={faults} />}
      </div>
    </div>
  );
}

/** The problems found, each with its budget and entry. */
export function Problems({ faults }: { faults: LedgerVerification['faults'] }) {
  const { money: words } = useWords();
  const { number } = useFormats();
  return (
    <ul>
      {faults.map(({ budgetId, number: entry, problem }) => (
        <li key={`${budgetId} ${entry} ${problem}`}>
          {budgetId !== null && (
            <Go to={`/money/budgets/${budgetId}`} search={(entry === null ? {} : { entry: String(entry) }) as never}>
              {words.budget(String(budgetId))}
              {entry !== null && `, ${words.entry(number(entry))}`}
            </Go>
          )}{' '}
          {problem}
        </li>
      ))}
    </ul>
  );
}
