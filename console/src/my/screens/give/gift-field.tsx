import type { MyGiving } from '@giftwire/sdk';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { addUp, fitsCurrency, readAmount, roundAmounts, writeAmount } from '../../data/amount.ts';
import { giftwire } from '../../data/client.ts';
import { Choice, Field, Switch } from '../../parts/field.tsx';
import { useFormats, useWords } from '../../words/words.tsx';
import { type Draft, requestOf } from './draft.ts';

type Giving = MyGiving['giving'][number];

interface GiftFieldProps {
  draft: Draft;
  /** How many people are thanked; null where a team does not say. */
  people: number | null;
  isChecked: boolean;
  onChange: (change: Partial<Draft>) => void;
}

/** A gift for each person, with what is left beside it. Without anything to give, the whole switch is absent. */
export function GiftField({ draft, people, isChecked, onChange }: GiftFieldProps) {
  const { give: words } = useWords();
  const formats = useFormats();
  const { data } = useQuery({ queryKey: ['giving'], queryFn: () => giftwire.feed.giving() });
  const [first] = data?.giving ?? [];
  if (!data || !first || draft.isPrivate) return null;
  const { gift } = draft;
  const giving = data.giving.find(({ currency }) => currency === gift?.currency) ?? first;
  const { left, perMonth, currency } = giving;
  const text =
    perMonth === null
      ? words.giftLeft(formats.money(left, currency))
      : words.giftLeftOf(formats.money(left, currency), formats.money(perMonth, currency));
  return (
    <div className="card block">
      <Switch
        label={words.gift}
        text={text}
        isOn={gift !== null}
        onChange={(isOn) => onChange({ gift: isOn ? { amount: null, currency, isShown: false } : null })}
      />
      {gift && (
        <div className="lines">
          {data.giving.length > 1 && (
            <Choice
              value={currency}
              options={data.giving.map((one) => ({ value: one.currency, label: one.currency }))}
              onChange={(chosen) => onChange({ gift: { ...gift, amount: null, currency: chosen } })}
            />
          )}
          <Amount
            key={currency}
            draft={draft}
            giving={giving}
            people={people}
            isChecked={isChecked}
            onChange={onChange}
          />
        </div>
      )}
      {gift && data.feedShowsGifts && (
        <Switch
          label={words.giftShown}
          text={words.giftShownText}
          isOn={gift.isShown}
          onChange={(isShown) => onChange({ gift: { ...gift, isShown } })}
        />
      )}
    </div>
  );
}

interface AmountProps extends GiftFieldProps {
  giving: Giving;
}

function Amount({ draft, giving, people, isChecked, onChange }: AmountProps) {
  const { give: words } = useWords();
  const formats = useFormats();
  const { currency, left, lapsesAt } = giving;
  const amount = draft.gift?.amount ?? null;
  const quick = quickAmounts(giving, people ?? 1);
  const [typed, setTyped] = useState(
    amount === null || quick.includes(amount) ? null : writeAmount(amount, currency, formats.locale),
  );
  const set = (next: number | null) => draft.gift && onChange({ gift: { ...draft.gift, currency, amount: next } });
  const check = useCheck(draft);
  const fault = useAmountFault(draft, giving, people, isChecked) ?? (check?.problem ? check.problem : null);
  return (
    <>
      <fieldset className="pills even" aria-label={words.giftAmount}>
        {quick.map((one) => (
          <button
            key={one}
            type="button"
            className="pill amount"
            aria-pressed={typed === null && amount === one}
            onClick={() => {
              setTyped(null);
              set(one);
            }}
          >
            {words.each(formats.money(one, currency, { whole: Number.isInteger(one) }))}
          </button>
        ))}
        <button
          type="button"
          className="pill"
          aria-pressed={typed !== null}
          onClick={() => {
            setTyped('');
            set(null);
          }}
        >
          {words.giftOther}
        </button>
      </fieldset>
      {typed !== null && (
        <Field label={words.giftAmountIn(currency)} fault={fault}>
          {(control) => (
            <input
              {...control}
              className="input"
              inputMode="decimal"
              autoComplete="off"
              value={typed}
              onChange={({ target }) => {
                setTyped(target.value);
                set(readAmount(target.value, currency));
              }}
            />
          )}
        </Field>
      )}
      {typed === null && fault && (
        <p className="fault" role="alert">
          {fault}
        </p>
      )}
      {amount !== null && amount > 0 && !fault && (
        <p className="hint" role="status">
          {people !== null &&
            people > 0 &&
            words.giftSum(
              people,
              formats.money(amount, currency),
              formats.money(addUp(Array(people).fill(amount), currency), currency),
            )}{' '}
          {people !== null &&
            people > 0 &&
            stays(words, formats, addUp([left, ...Array(people).fill(-amount)], currency), currency, lapsesAt)}{' '}
          {check?.rule && words.giftWaits}
        </p>
      )}
    </>
  );
}

function stays(
  words: ReturnType<typeof useWords>['give'],
  formats: ReturnType<typeof useFormats>,
  rest: number,
  currency: string,
  until: string | null,
): string {
  const money = formats.money(rest, currency);
  return until === null ? words.giftStays(money) : words.giftStaysUntil(money, formats.shortDay(lastDay(until)));
}

/** What lapses at the end of a month can be used on its last day. */
function lastDay(until: string): number {
  return Date.parse(until) - 1;
}

/** Three amounts that each person can get. */
function quickAmounts({ left, giftLimit }: Giving, people: number): number[] {
  const most = Math.min(left / Math.max(1, people), giftLimit ?? Number.POSITIVE_INFINITY);
  return roundAmounts(most);
}

/** Whether the gift of a draft can be sent, as far as this page knows. */
function useAmountFault(draft: Draft, giving: Giving, people: number | null, isChecked: boolean): string | null {
  const { give: words } = useWords();
  const formats = useFormats();
  const { currency, left, giftLimit } = giving;
  const amount = draft.gift?.amount ?? null;
  if (amount === null) return isChecked ? words.giftNoAmount : null;
  if (amount < 1) return words.giftTooSmall(formats.money(1, currency, { whole: true }));
  if (!fitsCurrency(amount, currency)) return words.giftTooFine;
  if (giftLimit !== null && amount > giftLimit) return words.giftTooLarge(formats.money(giftLimit, currency));
  if (amount * (people ?? 1) > left) return words.giftTooMuch(formats.money(left, currency));
  return null;
}

/** What the service says about it: the rules of the company, and people whom no gift reaches. */
function useCheck(draft: Draft) {
  const post = requestOf({ ...draft, message: '…' });
  const { data } = useQuery({
    queryKey: ['giving', 'check', post],
    queryFn: () => giftwire.feed.check(post),
    enabled: post.gift !== undefined && post.to.length > 0,
    placeholderData: (before) => before,
  });
  return data ?? null;
}
