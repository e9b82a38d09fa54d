import type { ReactNode } from 'react';

interface SumProps {
  label: string;
  amount: string;
  /** Beneath it: further currencies. */
  note?: string | null;
  children: ReactNode;
}

/** What can be spent, on the company's paper, crossed by the wire. */
export function Sum({ label, amount, note, children }: SumProps) {
  return (
    <section className="sum" aria-label={label}>
      <p className="small">{label}</p>
      <p className="total amount">{amount}</p>
      {note && <p className="small">{note}</p>}
      <svg viewBox="0 0 292 52" preserveAspectRatio="xMaxYMax meet" aria-hidden="true">
        <path d="M-900 48H232C243 48 249 44 254 36C259 24 270 12 278 16C287 21 279 36 254 36C229 36 221 21 230 16C238 12 249 24 254 36C259 44 265 48 276 48H1200" />
      </svg>
      {children}
    </section>
  );
}
