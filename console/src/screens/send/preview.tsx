import { SegmentedControl } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { giftwire } from '../../data/client.ts';
import { momentOf } from '../../gift/terms.ts';
import { Fault } from '../../parts/fault.tsx';
import { Framed } from '../../parts/framed.tsx';
import { Waiting } from '../../parts/waiting.tsx';
import { useWords } from '../../words/words.tsx';
import { type Draft, largestAmount, longestMessage, smallestAmount } from './draft.ts';
import styles from './send.module.css';

const settleMs = 300;

/** What the recipient gets, as one writes it. What is not written yet is shown by an example. */
export function Preview({ draft }: { draft: Draft }) {
  const { send } = useWords();
  const [shown, setShown] = useState<'mail' | 'page'>('mail');
  const [settled] = useDebouncedValue(draft, settleMs);
  const asked = asGift(settled, send.exampleMessage);
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['preview', asked],
    queryFn: ({ signal }) => giftwire.gifts.preview(asked, { signal }),
    placeholderData: keepPreviousData,
    staleTime: 5 * 60_000,
  });
  return (
    <aside className={styles.preview} aria-label={send.preview}>
      <div className={styles.tabs}>
        <h2>{send.preview}</h2>
        <SegmentedControl
          value={shown}
          onChange={(value) => setShown(value as typeof shown)}
          data={[
            { value: 'mail', label: send.mail },
            { value: 'page', label: send.page },
          ]}
        />
      </div>
      {error && !data && <Fault error={error} retry={() => void refetch()} />}
      {isPending && <Waiting lines={8} />}
      {data && shown === 'mail' && (
        <div className={styles.subject}>
          <span className="quiet small">{data.from}</span>
          <b>{data.subject}</b>
        </div>
      )}
      {data && (
        <div className={styles.paper}>
          <Framed
            html={data[shown]}
            title={shown === 'mail' ? send.mailPreview : send.pagePreview}
            onGift={() => setShown('page')}
          />
        </div>
      )}
    </aside>
  );
}

function asGift({ recipients, amount, currency, message, reasonId, language, deliverAt }: Draft, example: string) {
  const [first] = recipients;
  const words = [...message.trim()].slice(0, longestMessage).join('');
  const isAmount = amount !== null && amount >= smallestAmount && amount <= largestAmount;
  return {
    message: words || example,
    amount: isAmount ? amount : 50,
    currency,
    language,
    reasonId,
    // What is no date is said at its field.
    deliverAt: Number.isNaN(Date.parse(deliverAt)) ? null : momentOf(deliverAt),
    firstName: first?.firstName ?? null,
    lastName: first?.lastName ?? null,
  };
}
