import type { GiftTotals } from '@giftwire/sdk';
import type { Share } from '../../parts/split.tsx';
import type { GiftState } from '../../parts/state-pill.tsx';
import type { Formats } from '../../words/formats.ts';
import type { Words } from '../../words/words.tsx';
import { standingOf } from './standing.ts';

/** In the sequence of a gift's life, from its end: what is spent stands first. */
const looks: Record<GiftState, string> = {
  REDEEMED: 'var(--c3)',
  PARTLY_REDEEMED: 'color-mix(in srgb, var(--c3) 55%, var(--surface))',
  CLAIMED: 'var(--c1)',
  SENT: 'var(--c4)',
  ISSUED: 'color-mix(in srgb, var(--c4) 45%, var(--surface))',
  FAILED: 'var(--red)',
  EXPIRED: 'var(--c2)',
  CANCELLED: 'var(--c0)',
};

/** How many gifts stand where, as people see it. */
export function sharesOf({ totals }: GiftTotals, { parts }: Words): Share[] {
  return (Object.keys(looks) as GiftState[]).flatMap((key) => {
    const count = totals.filter((total) => isAt(key, total)).reduce((sum, { gifts }) => sum + gifts, 0);
    const share = { key, name: parts.states[key].toLowerCase(), count, colour: looks[key] };
    return count === 0 ? [] : [key === 'FAILED' ? { ...share, isBad: true } : share];
  });
}

function isAt(standing: GiftState, { state, delivery }: GiftTotals['totals'][number]): boolean {
  return standingOf({ state, delivery: delivery ?? 'NONE' }) === standing;
}

/** The sum of a field in each currency that has one, the largest first: CA$900.00 and US$75.00. */
export function sumOf(
  { totals }: GiftTotals,
  of: (total: GiftTotals['totals'][number]) => number,
  formats: Formats,
): string {
  const sums = new Map<string, number>();
  for (const total of totals) sums.set(total.currency, (sums.get(total.currency) ?? 0) + of(total));
  const found = [...sums].filter(([, amount]) => amount > 0);
  const written = (found.length > 0 ? found : [...sums])
    .sort(([, one], [, other]) => other - one)
    .map(([currency, amount]) => formats.money(amount, currency));
  return formats.list(written);
}

/** What can still be spent of gifts. */
export function leftOf({ state, amount, redeemed }: GiftTotals['totals'][number]): number {
  return state === 'CANCELLED' || state === 'EXPIRED' ? 0 : amount - redeemed;
}
