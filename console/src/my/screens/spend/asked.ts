import type { MyGiftPage, NewSpending } from '@giftwire/sdk';
import { useState } from 'react';
import { readAmount } from '../../data/amount.ts';
import type { MySpendingOption } from '../../data/spending.ts';

/** What the person wants to spend, as far as it is known. */
export interface Asked {
  currency: string;
  amount: number | null;
  option: MySpendingOption | null;
  retailer: string | null;
  requestText: string;
}

export interface Asking {
  value: Asked;
  /** What can be spent at most, and of how many gifts. */
  most: { left: number; gifts: number };
  /** The amount as it was typed. */
  typed: string;
  type: (text: string) => void;
  change: (change: Partial<Asked>) => void;
}

/** The first currency that the person has, or that of the one gift. */
export function useAsked(page: MyGiftPage | null, only: number | null): Asking {
  const [typed, type] = useState('');
  const [chosen, setChosen] = useState<Partial<Asked>>({});
  const gift = page?.gifts.find(({ id }) => id === only);
  const currency = chosen.currency ?? gift?.currency ?? page?.totals[0]?.currency ?? '';
  const total = page?.totals.find((one) => one.currency === currency);
  return {
    value: { option: null, retailer: null, requestText: '', ...chosen, currency, amount: readAmount(typed, currency) },
    most: gift ? { left: gift.left ?? 0, gifts: 1 } : { left: total?.left ?? 0, gifts: total?.gifts ?? 0 },
    typed,
    type,
    change: (change) => setChosen((before) => ({ ...before, ...change })),
  };
}

export function requestOf(
  { amount, currency, option, retailer, requestText }: Asked,
  gifts: { giftId: number; amount: number }[] | null,
): NewSpending {
  const text = requestText.trim();
  return {
    amount: amount ?? 0,
    currency,
    spendingOption: option?.id ?? '',
    ...(retailer !== null && { retailer }),
    ...(option?.fulfilledBy === 'colleague' && text && { requestText: text }),
    ...(gifts && { gifts }),
  };
}
