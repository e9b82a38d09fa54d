import type { GiftDraft } from '@giftwire/sdk';
import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { giftwire } from '../data/client.ts';
import { Fault } from '../parts/fault.tsx';
import { useWords } from '../words/words.tsx';
import styles from './test-mail.module.css';

/** Emails what the recipient would get to the person who is signed in, and says what has become of it. */
export function TestMail({ gift }: { gift: GiftDraft | null }) {
  const { send } = useWords();
  const test = useMutation({ mutationFn: (draft: GiftDraft) => giftwire.gifts.test(draft) });
  const { data, error, isPending } = test;
  return (
    <span className={styles.test}>
      <Button disabled={gift === null} loading={isPending} onClick={() => gift && test.mutate(gift)}>
        {send.test}
      </Button>
      {(data || error) && (
        <span className={styles.answer} role="status">
          {data?.delivery === 'SENT' && send.testSent(data.to)}
          {data?.delivery === 'KEPT' && send.testKept}
          {data?.delivery === 'FAILED' && (
            <>
              {send.testFailed}
              {data.answer && <code className="raw">{data.answer}</code>}
            </>
          )}
          <Fault error={error} />
        </span>
      )}
    </span>
  );
}
