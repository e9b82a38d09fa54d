type Option = 'payroll' | 'charity';

interface ModelGift {
  amount: number;
  left: number;
  /** The day on which it expires if it is not claimed before; null: never. */
  endsOn: number | null;
  state: 'SEALED' | 'OPENED' | 'CLAIMED' | 'CANCELLED';
}

/** A gift, by its place in the list, and how much of it. */
export type ModelPart = readonly [gift: number, amount: number];

interface ModelSpending {
  option: Option;
  parts: readonly ModelPart[];
  state: 'REQUESTED' | 'DONE' | 'DECLINED' | 'REVERSED';
  isPaid: boolean;
}

export interface Spend {
  do: 'spend';
  amount: number;
  option: Option;
}

export type OwnStep =
  | Spend
  | { do: 'issue'; amount: number; days: number | null }
  | { do: 'open' | 'claim' | 'cancel'; gift: number }
  | { do: 'till'; gift: number; amount: number }
  | { do: 'fulfil' | 'decline' | 'reverse' | 'company'; spending: number }
  | { do: 'both'; one: Spend; two: Spend }
  | { do: 'pass' | 'export' };

/** The gifts of one person and what they spend of them, as plain whole numbers. Each function returns whether the service would do it. */
export class OwnGiftsModel {
  readonly gifts: ModelGift[] = [];
  readonly spendings: ModelSpending[] = [];
  day = 0;

  get left(): number {
    return this.#sources().reduce((sum, [, { left }]) => sum + left, 0);
  }

  issue(amount: number, days: number | null): void {
    this.gifts.push({ amount, left: amount, endsOn: days === null ? null : this.day + days, state: 'SEALED' });
  }

  open(nth: number): boolean {
    const gift = this.gifts[nth];
    if (!gift || (gift.state === 'CANCELLED' && !this.#wasOpened(nth))) return false;
    if (gift.state === 'SEALED' && !this.#hasExpired(gift)) gift.state = 'OPENED';
    return true;
  }

  claim(nth: number): boolean {
    const gift = this.gifts[nth];
    if (!gift || gift.state === 'CANCELLED' || this.#hasExpired(gift)) return false;
    gift.state = 'CLAIMED';
    return true;
  }

  cancel(nth: number): boolean {
    const gift = this.gifts[nth];
    if (!gift || gift.state === 'CLAIMED') return false;
    if (gift.state === 'OPENED') this.#opened.add(nth);
    gift.state = 'CANCELLED';
    return true;
  }

  /** A till takes opened and sealed gifts too. */
  till(nth: number, amount: number): boolean {
    const gift = this.gifts[nth];
    if (!gift || gift.state === 'CANCELLED' || this.#hasExpired(gift)) return false;
    if (amount > gift.left) return false;
    gift.state = 'CLAIMED';
    gift.left -= amount;
    return true;
  }

  /** What a spending would use; null: there is less. */
  draw(amount: number): ModelPart[] | null {
    const parts: ModelPart[] = [];
    let missing = amount;
    for (const [nth, { left }] of this.#sources()) {
      if (missing === 0) break;
      const part = Math.min(missing, left);
      parts.push([nth, part]);
      missing -= part;
    }
    return missing === 0 ? parts : null;
  }

  spend({ amount, option }: Spend): readonly ModelPart[] | null {
    const parts = this.draw(amount);
    if (parts) this.spendParts(option, parts);
    return parts;
  }

  spendParts(option: Option, parts: readonly ModelPart[]): void {
    for (const [nth, amount] of parts) {
      const gift = this.gifts[nth] as ModelGift;
      gift.state = 'CLAIMED';
      gift.left -= amount;
    }
    this.spendings.push({ option, parts, state: option === 'charity' ? 'REQUESTED' : 'DONE', isPaid: false });
  }

  /** `company`: the company reverses it, else its recipient does. */
  finish(verb: 'fulfil' | 'decline' | 'reverse' | 'company', nth: number): boolean {
    const spending = this.spendings[nth];
    if (!spending) return false;
    const isRequest = verb === 'fulfil' || verb === 'decline';
    if (isRequest && spending.option !== 'charity') return false;
    const to = ({ fulfil: 'DONE', decline: 'DECLINED', reverse: 'REVERSED', company: 'REVERSED' } as const)[verb];
    if (spending.state === to) return true;
    if (spending.state !== (isRequest ? 'REQUESTED' : 'DONE')) return false;
    if (verb === 'reverse' && (spending.option !== 'payroll' || spending.isPaid)) return false;
    spending.state = to;
    if (to !== 'DONE') for (const [gift, amount] of spending.parts) (this.gifts[gift] as ModelGift).left += amount;
    return true;
  }

  export(): void {
    for (const spending of this.spendings)
      if (spending.option === 'payroll' && spending.state === 'DONE') spending.isPaid = true;
  }

  readonly #opened = new Set<number>();

  #wasOpened(nth: number): boolean {
    return this.#opened.has(nth);
  }

  #hasExpired({ endsOn, state }: ModelGift): boolean {
    return state !== 'CLAIMED' && endsOn !== null && endsOn <= this.day;
  }

  /** What can be spent, in the sequence in which it is used. */
  #sources(): [number, ModelGift][] {
    const ends = ({ state, endsOn }: ModelGift) => (state === 'CLAIMED' || endsOn === null ? Infinity : endsOn);
    return [...this.gifts.entries()]
      .filter(([, gift]) => gift.left > 0 && (gift.state === 'OPENED' || gift.state === 'CLAIMED'))
      .filter(([, gift]) => !this.#hasExpired(gift))
      .sort(([one, first], [other, second]) =>
        ends(first) === ends(second) ? one - other : ends(first) - ends(second),
      );
  }
}
