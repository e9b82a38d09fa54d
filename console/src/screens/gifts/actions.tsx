import type { GiftDetails } from '@giftwire/sdk';
import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { giftwire } from '../../data/client.ts';
import { printAddress } from '../../data/download.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { Fault } from '../../parts/fault.tsx';
import { nameOf } from '../../parts/name.ts';
import { tell } from '../../parts/tell.tsx';
import { useFormats, useWords } from '../../words/words.tsx';
import { CorrectDialog, ExtendDialog } from './dialogs.tsx';
import styles from './gift.module.css';

/** Repairs change the gift: what the service answers with is shown at once. */
export function useRepair(id: number) {
  const queries = useQueryClient();
  return async (work: Promise<GiftDetails>): Promise<GiftDetails> => {
    const gift = await work;
    queries.setQueryData(['gifts', 'one', String(id)], gift);
    void queries.invalidateQueries({ queryKey: ['gifts', 'list'] });
    return gift;
  };
}

/** What can be done with a gift in its state. What its state forbids is not offered. */
export function GiftActions({ gift }: { gift: GiftDetails }) {
  const { gifts: words } = useWords();
  const { money } = useFormats();
  const repair = useRepair(gift.id);
  const [dialog, setDialog] = useState<'correct' | 'extend' | 'cancel' | null>(null);
  const [error, setError] = useState<unknown>(null);
  const close = () => setDialog(null);
  const { id, state } = gift;
  const isOpen = state === 'ISSUED';
  const isEnded = state === 'EXPIRED';
  const resend = () => {
    setError(null);
    repair(giftwire.gifts.resend(id)).then(({ address }) => tell(words.resent(address ?? '')), setError);
  };
  return (
    <>
      {(isOpen || state === 'CLAIMED') && gift.address && <Button onClick={resend}>{words.resend}</Button>}
      {isOpen && <Button onClick={() => setDialog('correct')}>{words.correct}</Button>}
      {(isEnded || (isOpen && gift.expiresAt)) && <Button onClick={() => setDialog('extend')}>{words.extend}</Button>}
      {(isOpen || state === 'CLAIMED') && (
        <Button component="a" href={printAddress({ ids: String(id) })} target="_blank">
          {words.print}
        </Button>
      )}
      {(isOpen || isEnded) && (
        <Button variant="subtle" color="red" onClick={() => setDialog('cancel')}>
          {words.cancel}
        </Button>
      )}
      {error !== null && (
        <div className={styles.fault}>
          <Fault error={error} />
        </div>
      )}
      <CorrectDialog
        isOpen={dialog === 'correct'}
        onClose={close}
        onCorrect={async (email) => {
          await repair(giftwire.gifts.correct(id, { email }));
          tell(words.corrected(email));
        }}
      />
      <ExtendDialog
        isOpen={dialog === 'extend'}
        onClose={close}
        onExtend={async (expiresOn) => {
          await repair(giftwire.gifts.extend(id, { expiresOn }));
          tell(words.extended);
        }}
      />
      <Confirm
        isOpen={dialog === 'cancel'}
        onClose={close}
        title={words.cancelTitle}
        keep={words.keep}
        act={words.cancel}
        onAct={async () => {
          await repair(giftwire.gifts.cancel(id));
          tell(words.cancelled);
        }}
      >
        {words.cancelText(nameOf(gift.recipient), money(gift.amount, gift.currency))}
      </Confirm>
    </>
  );
}
