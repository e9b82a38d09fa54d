import type { MyGift, SpendingPreview } from '@giftwire/sdk';
import { GiftwireError } from '@giftwire/sdk';
import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { randomId } from '../../../data/random-id.ts';
import { giftwire } from '../../data/client.ts';
import { Action } from '../../parts/action.tsx';
import { Fault } from '../../parts/fault.tsx';
import { Knot } from '../../parts/mini-parcel.tsx';
import { goTo } from '../../shell/place.tsx';
import { useFormats, useWords } from '../../words/words.tsx';
import { type Asked, requestOf } from './asked.ts';
import { ChooseGifts } from './choose.tsx';

type Parts = { giftId: number; amount: number }[];

interface ConfirmProps {
  request: Asked;
  preview: SpendingPreview;
  /** All gifts that can be spent, for a person who chooses them. */
  gifts: readonly MyGift[];
  /** Whether the person spends one gift that they came from. */
  isOne: boolean;
  look: UseMutationResult<SpendingPreview, unknown, Parts | null>;
  onLookAgain: () => void;
}

/** Where it comes from. What the person sees here is what is spent, or nothing is. */
export function Confirm({ request, preview, gifts, isOne, look, onLookAgain }: ConfirmProps) {
  const { spend: words } = useWords();
  const formats = useFormats();
  const queries = useQueryClient();
  const [isChoosing, setIsChoosing] = useState(false);
  const [isChosen, setIsChosen] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  // One key for each preview: pressing twice, or again after a lost response, spends once.
  const key = useMemo(() => keyOf(preview), [preview]);
  useEffect(() => heading.current?.focus(), []);
  const { amount, currency } = preview;
  const parts = preview.gifts.map(({ giftId, amount: part }) => ({ giftId, amount: part }));
  const spend = useMutation({
    mutationFn: () => giftwire.mySpending.create(requestOf(request, parts), { idempotencyKey: key }),
    onSuccess: ({ id }) => {
      void queries.invalidateQueries({ queryKey: ['gifts'] });
      goTo(`/spending/${id}?done`, { replace: true });
    },
  });
  const isChanged = spend.error instanceof GiftwireError && [402, 409].includes(spend.error.status ?? 0);
  const again = () => {
    spend.reset();
    setIsChosen(false);
    onLookAgain();
  };
  if (isChoosing)
    return (
      <ChooseGifts
        gifts={gifts}
        preview={preview}
        error={look.error}
        isPending={look.isPending}
        onCancel={() => setIsChoosing(false)}
        onChosen={(chosen) =>
          look.mutate(chosen, {
            onSuccess: () => {
              setIsChosen(true);
              setIsChoosing(false);
            },
          })
        }
      />
    );
  const order = isChosen ? words.fromChosen : isOne ? words.fromOne : words.fromText;
  return (
    <>
      <h1 ref={heading} tabIndex={-1}>
        {words.fromTitle(formats.money(amount, currency), preview.gifts.length)}
      </h1>
      <p className="second">{order}</p>
      <Hanging preview={preview} />
      {!isOne && gifts.filter((gift) => gift.currency === currency && !gift.needsCode).length > 1 && (
        <p className="small choose">
          <button type="button" className="link" onClick={() => setIsChoosing(true)}>
            {words.choose}
          </button>
        </p>
      )}
      <div className="card">
        <div className="line">
          <span className="second">{words.goesTo}</span>
          <b>{request.retailer ?? request.option?.name}</b>
        </div>
        <div className="line">
          <span className="second">{request.option?.fulfilledBy === 'payroll' ? words.before : words.amount}</span>
          <b className="amount">{formats.money(amount, currency)}</b>
        </div>
      </div>
      <div className="end">
        <Fault
          error={spend.error}
          not={words.notSpent}
          {...(isChanged && { retry: again, retryLabel: words.lookAgain })}
        />
        <Fault error={look.error} not={words.notSpent} />
        <Action isPending={spend.isPending || look.isPending} onClick={() => spend.mutate()}>
          {words.confirm(formats.money(amount, currency))}
        </Action>
        <p className="small">
          {[words.confirmHint(preview.gifts.length), preview.isReversible ? words.reversible : words.irreversible]
            .filter(Boolean)
            .join(' ')}
        </p>
      </div>
    </>
  );
}

const keys = new WeakMap<SpendingPreview, string>();

function keyOf(preview: SpendingPreview): string {
  const key = keys.get(preview) ?? randomId();
  keys.set(preview, key);
  return key;
}

/** The gifts hang on the wire: solid is used, dotted is used in part, a dashed ring stays. */
function Hanging({ preview: { gifts, left: staying, currency } }: { preview: SpendingPreview }) {
  const { spend: words, gifts: giftWords } = useWords();
  const formats = useFormats();
  return (
    <ol className="hanging">
      {gifts.map(({ giftId, senderName, amount, left, expiresAt }) => (
        <li key={giftId} className={left > 0 ? 'part' : undefined}>
          <Knot />
          <div>
            <b>{senderName}</b>
            <p className="small">
              {[left > 0 ? words.partOfIt : words.allOfIt, expiresAt && giftWords.expires(formats.date(expiresAt))]
                .filter(Boolean)
                .join(' · ')}
            </p>
          </div>
          <span className="worth amount">{formats.money(amount, currency)}</span>
        </li>
      ))}
      {staying > 0 && (
        <li className="stays">
          <Knot isEmpty />
          <span className="second">{words.stays}</span>
          <span className="second amount worth">{formats.money(staying, currency)}</span>
        </li>
      )}
    </ol>
  );
}
