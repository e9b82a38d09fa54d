import type { MyGift, SpendingPreview } from '@giftwire/sdk';
import { type FormEvent, useState } from 'react';
import { addUp, readAmount, writeAmount } from '../../data/amount.ts';
import { expiryText } from '../../data/expiry.ts';
import { Action } from '../../parts/action.tsx';
import { Fault } from '../../parts/fault.tsx';
import { useFormats, useWords } from '../../words/words.tsx';

interface ChooseGiftsProps {
  gifts: readonly MyGift[];
  preview: SpendingPreview;
  error: unknown;
  isPending: boolean;
  onChosen: (parts: { giftId: number; amount: number }[]) => void;
  onCancel: () => void;
}

/** The person decides which gifts it comes from, and how much from each. */
export function ChooseGifts({ gifts, preview, error, isPending, onChosen, onCancel }: ChooseGiftsProps) {
  const { spend: words, parts: partWords, gifts: giftWords } = useWords();
  const formats = useFormats();
  const { amount, currency } = preview;
  const offered = gifts.filter((gift) => gift.currency === currency && !gift.needsCode);
  const [typed, setTyped] = useState<Record<number, string>>(() =>
    Object.fromEntries(preview.gifts.map((part) => [part.giftId, writeAmount(part.amount, currency, formats.locale)])),
  );
  const [isChecked, setIsChecked] = useState(false);
  const parts = offered
    .map(({ id }) => ({ giftId: id, amount: readAmount(typed[id] ?? '', currency) ?? 0 }))
    .filter((part) => part.amount > 0);
  const sum = addUp(
    parts.map((part) => part.amount),
    currency,
  );
  const fits = sum === amount;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setIsChecked(true);
    if (fits && !isPending) onChosen(parts);
  };
  return (
    <form onSubmit={submit} className="step" noValidate>
      <h1>{words.chooseTitle}</h1>
      <div className="block">
        {offered.map((gift) => (
          <div className="parts-input" key={gift.id}>
            <span>
              <b>{gift.senderName}</b>
              <span className="small quiet">
                <br />
                {[
                  giftWords.of(formats.money(gift.left ?? 0, currency)),
                  expiryText(gift.expiresAt, giftWords, formats).text,
                ].join(' · ')}
              </span>
            </span>
            <input
              className="input"
              inputMode="decimal"
              autoComplete="off"
              aria-label={words.chooseFrom(gift.senderName)}
              placeholder={writeAmount(0, currency, formats.locale)}
              value={typed[gift.id] ?? ''}
              onChange={({ target }) => setTyped((before) => ({ ...before, [gift.id]: target.value }))}
            />
          </div>
        ))}
      </div>
      <div className="end">
        <p className={fits ? 'small' : 'small second'} role="status">
          <b className="amount">{words.chosen(formats.money(sum, currency), formats.money(amount, currency))}</b>
        </p>
        {isChecked && !fits && <p className="fault">{words.chooseWrong(formats.money(amount, currency))}</p>}
        <Fault error={error} not={words.notSpent} />
        <div className="pair">
          <Action look="plain" onClick={onCancel}>
            {partWords.cancel}
          </Action>
          <Action type="submit" isPending={isPending}>
            {words.chooseDone}
          </Action>
        </div>
      </div>
    </form>
  );
}
