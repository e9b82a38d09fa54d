import type { Spending } from '@giftwire/sdk';
import { GiftwireError } from '@giftwire/sdk';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { spendingKinds } from '../../../../../src/ground/values/spending-kinds.ts';
import { giftwire } from '../../data/client.ts';
import { Action } from '../../parts/action.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { DoneBow } from '../../parts/empty.tsx';
import { Fault } from '../../parts/fault.tsx';
import { NotHere } from '../../parts/not-here.tsx';
import { Waiting } from '../../parts/waiting.tsx';
import { Link, usePlace } from '../../shell/place.tsx';
import { Screen } from '../../shell/screen.tsx';
import { type MyWords, useFormats, useWords } from '../../words/words.tsx';
import { CardCode } from './card-code.tsx';
import { Tell } from './tell.tsx';

/** What was spent together: where it went, whom it came from, and how it can be reversed. Right after spending the bow ties itself. */
export function SpendingPage({ id }: { id: number }) {
  const { spend: words } = useWords();
  const { search } = usePlace();
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['gifts', 'spending', id],
    queryFn: () => giftwire.mySpending.retrieve(id),
  });
  const isGone = error instanceof GiftwireError && error.status === 404;
  const isNew = search.has('done');
  return (
    <Screen title={words.title} {...(isNew ? { at: 'gifts' } : { at: 'gifts', back: '/' })}>
      {isGone ? <NotHere title={words.gone} /> : <Fault error={error} retry={() => void refetch()} />}
      {isPending && !isGone && <Waiting hasSum />}
      {data && <Spent spending={data} isNew={isNew} />}
    </Screen>
  );
}

function Spent({ spending, isNew }: { spending: Spending; isNew: boolean }) {
  const { spend: words } = useWords();
  const formats = useFormats();
  const { state, currency, left, note, gifts, kind } = spending;
  const isBack = state === 'DECLINED' || state === 'REVERSED';
  const text = isBack ? words.backText : words.doneText[spendingKinds[kind].fulfilledBy];
  const still = left > 0 ? words.still(formats.money(left, currency)) : '';
  return (
    <>
      <div className="centred">
        {!isBack && isNew && <DoneBow />}
        <h1 className="told">{titleOf(spending, words, formats.money(spending.amount, currency))}</h1>
        <p className="second">{[text, isBack ? '' : still].filter(Boolean).join(' ')}</p>
        {note && <p className="letter">{words.noteOf(note)}</p>}
      </div>
      {spending.hasCode && <CardCode id={spending.id} />}
      {!isBack && <Tell gifts={gifts} currency={currency} />}
      <div className="end">
        <Link className="button plain" to="/">
          {words.back}
        </Link>
        {spending.isReversible && <Reverse spending={spending} />}
      </div>
    </>
  );
}

function titleOf({ state, kind, retailer }: Spending, words: MyWords['spend'], amount: string): string {
  const { fulfilledBy } = spendingKinds[kind];
  if (state === 'DECLINED' || state === 'REVERSED') return words.states[state](amount);
  if (fulfilledBy === 'code') return words.done.code(retailer ?? '');
  return fulfilledBy === 'colleague' && state === 'DONE' ? words.states.DONE(amount) : words.done[fulfilledBy](amount);
}

function Reverse({ spending }: { spending: Spending }) {
  const { spend: words, parts } = useWords();
  const formats = useFormats();
  const queries = useQueryClient();
  const [isAsking, setIsAsking] = useState(false);
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: () => giftwire.mySpending.reverse(spending.id),
    onSuccess: async () => {
      setIsAsking(false);
      await queries.invalidateQueries({ queryKey: ['gifts'] });
    },
  });
  const close = () => {
    setIsAsking(false);
    reset();
  };
  return (
    <p className="small">
      <button type="button" className="link" onClick={() => setIsAsking(true)}>
        {words.reverse}
      </button>
      {isAsking && (
        <Dialog title={words.reverseTitle(formats.money(spending.amount, spending.currency))} onClose={close}>
          <p>{words.reverseText}</p>
          <form method="dialog">
            <Fault error={error} not={words.notReversed} />
            <Action isPending={isPending} onClick={() => mutate()}>
              {words.reverse}
            </Action>
            <Action look="plain" onClick={close}>
              {parts.cancel}
            </Action>
          </form>
        </Dialog>
      )}
    </p>
  );
}
