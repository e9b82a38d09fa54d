import type { MyGiftPage } from '@giftwire/sdk';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { fitsCurrency, roundAmounts, symbolOf, writeAmount } from '../../data/amount.ts';
import { giftwire } from '../../data/client.ts';
import type { MySpendingOption } from '../../data/spending.ts';
import { Action } from '../../parts/action.tsx';
import { Fault } from '../../parts/fault.tsx';
import { Field } from '../../parts/field.tsx';
import { Waiting } from '../../parts/waiting.tsx';
import { useFormats, useWords } from '../../words/words.tsx';
import { GiftRows } from '../gifts/gift-rows.tsx';
import type { Asking } from './asked.ts';
import { Cards } from './cards.tsx';
import { Options } from './options.tsx';

interface AskSpendingProps {
  asked: Asking;
  page: MyGiftPage;
  only: number | null;
  error: unknown;
  isPending: boolean;
  onLook: () => void;
}

/** How much, and how. */
export function AskSpending({ asked, page, only, error, isPending, onLook }: AskSpendingProps) {
  const { spend: words } = useWords();
  const [isChecked, setIsChecked] = useState(false);
  const { value, change } = asked;
  const options = useQuery({
    queryKey: ['gifts', 'options', value.currency],
    queryFn: () => giftwire.mySpending.options(value.currency),
    enabled: value.currency !== '',
  });
  const fault = useAmountFault(asked);
  const { option } = value;
  const isTill = option?.fulfilledBy === 'till';
  const isCard = option?.fulfilledBy === 'code';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setIsChecked(true);
    if (!fault && option && !(isCard && value.retailer === null) && !isPending) onLook();
  };
  return (
    <form onSubmit={submit} noValidate className="step">
      <h1 className="said">{words.title}</h1>
      {page.totals.length > 1 && only === null && <Currencies asked={asked} page={page} />}
      <AmountAsked asked={asked} isGiven={isCard} fault={isChecked ? fault : null} />
      <div className="head">
        <h2>{words.how}</h2>
      </div>
      <Fault error={options.error} retry={() => void options.refetch()} />
      {options.isPending && <Waiting />}
      {options.data && (
        <Options
          options={options.data.spendingOptions}
          currency={value.currency}
          chosen={option}
          onChoose={(chosen: MySpendingOption) => {
            change({ option: chosen, retailer: null });
            if (chosen.fulfilledBy === 'code') asked.type('');
          }}
        />
      )}
      {isChecked && !option && <p className="fault">{words.noOption}</p>}
      {option && isCard && <Cards option={option} asked={asked} isMissing={isChecked && value.retailer === null} />}
      {option?.fulfilledBy === 'colleague' && (
        <div className="block">
          <Field label={words.request} hint={words.requestHint}>
            {(control) => (
              <input
                {...control}
                className="input"
                maxLength={200}
                value={value.requestText}
                onChange={({ target }) => change({ requestText: target.value })}
              />
            )}
          </Field>
        </div>
      )}
      {isTill ? (
        <div className="block">
          <p className="second">{words.tillText}</p>
          <GiftRows gifts={page.gifts.filter(({ currency, needsCode }) => currency === value.currency && !needsCode)} />
        </div>
      ) : (
        <div className="end">
          <Fault error={error} not={words.notSpent} />
          <Action type="submit" isPending={isPending}>
            {words.look}
          </Action>
          <p className="small">{words.lookHint}</p>
        </div>
      )}
    </form>
  );
}

function Currencies({ asked, page }: { asked: Asking; page: MyGiftPage }) {
  const { spend: words } = useWords();
  return (
    <fieldset className="segments" aria-label={words.currency}>
      {page.totals.map(({ currency }) => (
        <button
          key={currency}
          type="button"
          aria-pressed={currency === asked.value.currency}
          onClick={() => {
            asked.change({ currency, option: null, retailer: null });
            asked.type('');
          }}
        >
          {currency}
        </button>
      ))}
    </fieldset>
  );
}

interface AmountAskedProps {
  asked: Asking;
  /** Whether the chosen gift card sets the amount. */
  isGiven: boolean;
  fault: string | null;
}

function AmountAsked({ asked, isGiven, fault }: AmountAskedProps) {
  const { spend: words } = useWords();
  const formats = useFormats();
  const { value, most, typed, type } = asked;
  const { currency } = value;
  const quick = roundAmounts(most.left).filter((one) => one < most.left);
  return (
    <div className="how-much">
      <label className="small quiet" htmlFor="amount">
        {words.howMuch}
      </label>
      <div className="asked">
        <span aria-hidden="true">{symbolOf(currency, formats.locale)}</span>
        <input
          id="amount"
          inputMode="decimal"
          autoComplete="off"
          placeholder={writeAmount(0, currency, formats.locale)}
          readOnly={isGiven}
          value={typed}
          aria-invalid={fault !== null}
          aria-describedby="amount-of"
          onChange={({ target }) => type(target.value)}
        />
      </div>
      {fault && <p className="fault">{fault}</p>}
      <p className="hint" id="amount-of">
        {words.of(formats.money(most.left, currency), most.gifts)}
      </p>
      {!isGiven && (
        <div className="pills even">
          {quick.map((one) => (
            <button
              key={one}
              type="button"
              className="pill amount"
              aria-pressed={value.amount === one}
              onClick={() => type(writeAmount(one, currency, formats.locale))}
            >
              {formats.money(one, currency, { whole: true })}
            </button>
          ))}
          <button
            type="button"
            className="pill"
            aria-pressed={value.amount === most.left}
            onClick={() => type(writeAmount(most.left, currency, formats.locale))}
          >
            {words.all}
          </button>
        </div>
      )}
    </div>
  );
}

function useAmountFault({ value: { amount, currency, option }, most }: Asking): string | null {
  const { spend: words } = useWords();
  const formats = useFormats();
  if (option?.fulfilledBy === 'code' || option?.fulfilledBy === 'till') return null;
  if (!amount) return words.noAmount;
  if (!fitsCurrency(amount, currency)) return words.tooFine;
  if (amount > most.left) return words.tooMuch(formats.money(most.left, currency));
  if (option && amount < option.least) return words.tooLittle(formats.money(option.least, currency));
  return null;
}
