type SpendingOption = 'payroll' | 'shop' | 'charity';
type State = 'REQUESTED' | 'DONE' | 'REVERSED' | 'DECLINED';

interface ModelRedemption {
  gift: number;
  option: SpendingOption;
  amount: number;
  state: State;
  isPaid: boolean;
  isReturned: boolean;
}

export type SpendingStep =
  | { do: 'redeem'; gift: number; option: SpendingOption; amount: number | null; key: number | null }
  | { do: 'fulfil' | 'decline' | 'reverse'; redemption: number }
  | { do: 'export' };

/** Gifts and what was spent of them as plain numbers of cents, for tests that compare them with the service. */
export class SpendingModel {
  readonly #amount: number;
  readonly #keys = new Map<string, { body: string; redemption: number }>();
  readonly redemptions: ModelRedemption[] = [];
  readonly exports: string[][] = [];

  constructor(amount: number) {
    this.#amount = amount;
  }

  /** What is spent of a gift, and its state. */
  gift(gift: number): [spent: number, state: string] {
    const spent = this.#spent(gift);
    return [spent / 100, spent === 0 ? 'CLAIMED' : spent === this.#amount ? 'REDEEMED' : 'PARTLY_REDEEMED'];
  }

  /** Returns what came of the step: a redemption by its place in the list, or why it was refused. */
  play(step: SpendingStep): string {
    if (step.do === 'export') return this.#export();
    if (step.do === 'redeem') return this.#redeem(step);
    const redemption = this.redemptions[step.redemption];
    if (!redemption) return 'missing';
    const [from, to] = (
      { fulfil: ['REQUESTED', 'DONE'], decline: ['REQUESTED', 'DECLINED'], reverse: ['DONE', 'REVERSED'] } as const
    )[step.do];
    if (redemption.state === to) return 'done';
    if (redemption.state !== from) return 'conflict';
    redemption.state = to;
    return 'done';
  }

  #redeem({ gift, option, amount, key }: Extract<SpendingStep, { do: 'redeem' }>): string {
    const body = JSON.stringify([gift, amount]);
    const earlier = key === null ? undefined : this.#keys.get(`${option} ${key}`);
    if (earlier) return earlier.body === body ? `replayed ${earlier.redemption}` : 'mismatch';
    const left = this.#amount - this.#spent(gift);
    const cents = amount === null ? left : Math.round(amount * 100);
    if (left === 0 || cents > left) return 'overBudget';
    const state = option === 'charity' ? 'REQUESTED' : 'DONE';
    const redemption =
      this.redemptions.push({ gift, option, amount: cents, state, isPaid: false, isReturned: false }) - 1;
    if (key !== null) this.#keys.set(`${option} ${key}`, { body, redemption });
    return `redeemed ${redemption}`;
  }

  /** An export pays what was chosen and not paid, and takes back what was paid and reversed. */
  #export(): string {
    const lines = this.redemptions.flatMap((one, nth) => {
      const text = (one.amount / 100).toFixed(2);
      if (one.option !== 'payroll') return [];
      if (one.state === 'DONE' && !one.isPaid) {
        one.isPaid = true;
        return [`${nth} ${text}`];
      }
      if (one.state !== 'REVERSED' || !one.isPaid || one.isReturned) return [];
      one.isReturned = true;
      return [`${nth} -${text}`];
    });
    if (lines.length === 0) return 'conflict';
    this.exports.push(lines);
    return `exported ${this.exports.length}`;
  }

  #spent(gift: number): number {
    return this.redemptions
      .filter((one) => one.gift === gift && (one.state === 'REQUESTED' || one.state === 'DONE'))
      .reduce((sum, { amount }) => sum + amount, 0);
  }
}
