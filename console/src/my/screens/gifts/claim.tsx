import type { MyClaimResult, MyGift } from '@giftwire/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { giftwire } from '../../data/client.ts';
import { Action } from '../../parts/action.tsx';
import { Fault, Notice } from '../../parts/fault.tsx';
import { Field } from '../../parts/field.tsx';
import { type MyWords, useWords } from '../../words/words.tsx';

/** Claims a gift; a larger one with a code that is emailed. */
export function Claim({ gift }: { gift: MyGift }) {
  const { gifts: words } = useWords();
  const queries = useQueryClient();
  const [code, setCode] = useState('');
  const [outcome, setOutcome] = useState<MyClaimResult['outcome'] | null>(null);
  const { mutate, isPending, error } = useMutation({
    mutationFn: (isOther: boolean) =>
      isOther
        ? giftwire.myGifts.sendVerificationCode(gift.id)
        : giftwire.myGifts.claim(gift.id, code.trim() || undefined),
    onSuccess: (result) => {
      setOutcome(result.outcome);
      setCode('');
      if (result.outcome === 'CLAIMED') void queries.invalidateQueries({ queryKey: ['gifts'] });
    },
  });
  const claim = (event?: FormEvent) => {
    event?.preventDefault();
    if (!isPending) mutate(false);
  };
  if (outcome === null || outcome === 'CLAIMED')
    return (
      <div className="block">
        <Fault error={error} not={words.notClaimed} />
        <Action isPending={isPending || outcome === 'CLAIMED'} onClick={() => claim()}>
          {words.claim}
        </Action>
        {gift.expiresAt !== null && <p className="under">{words.claimText}</p>}
      </div>
    );
  if (outcome === 'TOO_MANY_CODES') return <Notice role="alert">{codeFault(outcome, words)}</Notice>;
  return (
    <form className="block" onSubmit={claim}>
      <h2>{words.codeTitle}</h2>
      <p className="second">{words.codeText}</p>
      <div className="block">
        <Field label={words.code} fault={codeFault(outcome, words)}>
          {(control) => (
            <input
              {...control}
              className="input"
              inputMode="numeric"
              autoComplete="one-time-code"
              value={code}
              onChange={({ target }) => setCode(target.value)}
            />
          )}
        </Field>
      </div>
      <div className="block">
        <Fault error={error} not={words.notClaimed} />
        <Action type="submit" isPending={isPending}>
          {words.claim}
        </Action>
        <p className="under">
          <button type="button" className="link" onClick={() => mutate(true)}>
            {words.otherCode}
          </button>
        </p>
      </div>
    </form>
  );
}

function codeFault(outcome: MyClaimResult['outcome'], words: MyWords['gifts']): string | null {
  if (outcome === 'CODE_WRONG') return words.codeWrong;
  if (outcome === 'CODE_OVER') return words.codeOver;
  return outcome === 'TOO_MANY_CODES' ? words.codeMany : null;
}
