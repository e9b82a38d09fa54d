import { useFormats } from '../words/words.tsx';

/** CA$75.00 in the reader's language. `whole` is for large figures. */
export function Money({ amount, currency, whole = false }: { amount: number; currency: string; whole?: boolean }) {
  return <span className="figure">{useFormats().money(amount, currency, { whole })}</span>;
}
