import type { GiftDetails } from '@giftwire/sdk';
import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { giftwire } from '../../data/client.ts';
import { Fault } from '../../parts/fault.tsx';
import { Icon } from '../../parts/icon.tsx';
import { nameOf } from '../../parts/name.ts';
import { tell } from '../../parts/tell.tsx';
import { useSubmit } from '../../parts/use-submit.ts';
import { useWords } from '../../words/words.tsx';
import { useRepair } from './actions.tsx';
import styles from './gifts.module.css';
import { whyOf } from './moments.tsx';

/** A gift that did not arrive says why, and has the field that puts it right. */
export function FixAddress({ gift }: { gift: GiftDetails }) {
  const { gifts: words } = useWords();
  const repair = useRepair(gift.id);
  const [email, setEmail] = useState('');
  const { error, isBusy, submit } = useSubmit(async () => {
    await repair(giftwire.gifts.correct(gift.id, { email: email.trim() }));
    tell(words.corrected(email.trim()));
  });
  const name = nameOf(gift.recipient);
  const failure = gift.timeline.findLast(({ type }) => type === 'DELIVERY_FAILED');
  const why = failure ? whyOf(String(failure.detail.status ?? ''), words.whyFailed) : '';
  const title = gift.delivery === 'NO_ADDRESS' ? words.fixNoAddress(name) : words.fixFailed(name);
  return (
    <section className={styles.fix} aria-label={title}>
      <h2>
        <Icon name="warn" />
        {title}
      </h2>
      <p className="second">
        {gift.delivery === 'FAILED' && why} {words.fixText}
      </p>
      <form onSubmit={submit}>
        <TextInput
          type="email"
          label={words.address}
          required
          value={email}
          placeholder={gift.address ?? ''}
          onChange={({ target }) => setEmail(target.value)}
        />
        <Button type="submit" variant="filled" loading={isBusy}>
          {words.fixAction}
        </Button>
      </form>
      <Fault error={error} />
    </section>
  );
}
