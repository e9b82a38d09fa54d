import assert from 'node:assert/strict';

interface Book {
  isOpen: boolean;
  giftLimit: number | null;
  available: number;
  committed: number;
  issued: number;
  redeemed: number;
}

interface ModelOrder {
  book: Book | null;
  amounts: number[];
  fails: boolean;
}

interface ModelGift {
  book: Book | null;
  amount: number;
  state: 'ISSUED' | 'CLAIMED' | 'EXPIRED' | 'CANCELLED';
  spent: number;
}

interface ModelRedemption {
  gift: ModelGift;
  amount: number;
  state: 'REQUESTED' | 'DONE' | 'REVERSED' | 'DECLINED';
}

/** What somebody does to a redemption: the state after it, and the one that it must have before. */
const endings = {
  fulfilRequest: ['DONE', 'REQUESTED'],
  decline: ['DECLINED', 'REQUESTED'],
  reverse: ['REVERSED', 'DONE'],
} as const;

// biome-ignore lint/suspicious/noExplicitAny: a move of the test; each kind has its own fields.
type Step = any;

const cents = (amount: number) => Math.round(amount * 100);

const bodyOf = ({ amounts, fails }: Step) => JSON.stringify([amounts, fails]);

/** Budgets as plain numbers of cents, for tests that compare them with the ledger. */
export class MoneyModel {
  readonly #books = new Map<string, Book>();
  readonly #keys = new Map<number, string>();
  #pending: ModelOrder[] = [];
  readonly #gifts: ModelGift[] = [];
  readonly #redemptions: ModelRedemption[] = [];

  balances(owner: string): number[] {
    const { available, committed, issued, redeemed } = this.#books.get(owner) as Book;
    return [available, committed, issued, redeemed].map((amount) => amount / 100);
  }

  /** The state of each gift, and what is spent of it. */
  gifts(): string[] {
    return this.#gifts.map(({ state, amount, spent }) => {
      const spentState = spent === amount ? 'REDEEMED' : 'PARTLY_REDEEMED';
      return `${spent > 0 ? spentState : state} ${spent / 100}`;
    });
  }

  /** The newest first. */
  redemptions(): string[] {
    return this.#redemptions.map(({ state, amount }) => `${state} ${amount / 100}`).reverse();
  }

  play(step: Step): unknown {
    switch (step.do) {
      case 'orders':
        return this.#orders(step.orders);
      case 'fulfil':
        return this.#fulfil();
      case 'open':
        return this.#open(step);
      case 'cancel':
      case 'expire':
      case 'extend':
        return this.#gift(step);
      case 'claim':
        return this.#claim(step);
      case 'redeem':
        return this.#redeem(step);
      case 'fulfilRequest':
      case 'decline':
      case 'reverse':
        return this.#finish(step);
      default:
        return this.#manage(step);
    }
  }

  /** Of orders with one key that come at once, one is asked about. If it is refused, the others are if they are the same, else they have to come again. */
  #orders(orders: Step[]): string[] {
    const refused = new Map<number, Step>();
    return orders.map((order) => {
      const first = refused.get(order.key);
      if (first && !this.#keys.has(order.key)) return bodyOf(first) === bodyOf(order) ? 'overBudget' : 'unavailable';
      const answer = this.#order(order);
      if (answer === 'overBudget' && order.key !== null) refused.set(order.key, order);
      return answer;
    });
  }

  #open({ budget, amount }: Step): string {
    const known = this.#books.get(budget);
    if (known?.isOpen) return 'conflict';
    const book = known ?? { isOpen: true, giftLimit: null, available: 0, committed: 0, issued: 0, redeemed: 0 };
    book.isOpen = true;
    book.available += cents(amount);
    this.#books.set(budget, book);
    return 'done';
  }

  #manage({ do: what, budget, amount }: Step): string {
    const book = this.#books.get(budget);
    if (!book) return 'missing';
    if (!book.isOpen) return what === 'close' ? 'done' : 'conflict';
    if (what === 'withdraw' && cents(amount) > book.available) return 'conflict';
    if (what === 'grant') book.available += cents(amount);
    if (what === 'withdraw') book.available -= cents(amount);
    if (what === 'limit') book.giftLimit = amount === null ? null : cents(amount);
    if (what === 'close') Object.assign(book, { isOpen: false, available: 0 });
    return 'done';
  }

  #order({ sender, amounts, fails, key }: Step): string {
    const body = bodyOf({ amounts, fails });
    const earlier = key === null ? undefined : this.#keys.get(key);
    if (earlier !== undefined) return earlier === body ? 'replayed' : 'mismatch';
    const own = sender === 'member' ? this.#books.get('member') : undefined;
    const book = [own, this.#books.get('workspace')].find((one) => one?.isOpen) ?? null;
    const costs = amounts.map(cents);
    const total = costs.reduce((sum: number, cost: number) => sum + cost, 0);
    if (book && (total > book.available || costs.some((cost: number) => cost > (book.giftLimit ?? cost))))
      return 'overBudget';
    if (book) Object.assign(book, { available: book.available - total, committed: book.committed + total });
    if (key !== null) this.#keys.set(key, body);
    this.#pending.push({ book, amounts: costs, fails });
    return 'done';
  }

  #fulfil(): number {
    for (const { book, amounts, fails } of this.#pending) {
      const total = amounts.reduce((sum, cost) => sum + cost, 0);
      if (book) book.committed -= total;
      if (book && fails) book.available += total;
      if (book && !fails) book.issued += total;
      const issued = amounts.map((amount): ModelGift => ({ book, amount, state: 'ISSUED', spent: 0 }));
      if (!fails) this.#gifts.push(...issued);
    }
    this.#pending = [];
    return this.#gifts.length;
  }

  /** Gifts that are not read yet by the test are not chosen: they are read when orders are fulfilled. */
  #gift({ do: what, gift: nth }: Step): unknown {
    const gift = this.#gifts[nth % Math.max(this.#gifts.length, 1)];
    if (!gift) return null;
    const { book, amount, state } = gift;
    if (what === 'expire') {
      if (state !== 'ISSUED') return 0;
      this.#end(gift, 'EXPIRED');
      return 1;
    }
    if (state === 'CLAIMED') return 'conflict';
    if (what === 'cancel') {
      if (state === 'ISSUED') this.#end(gift, 'CANCELLED');
      gift.state = 'CANCELLED';
      return 'done';
    }
    if (state === 'CANCELLED') return 'conflict';
    if (state === 'ISSUED') return 'done';
    if (book && amount > book.available) return 'overBudget';
    if (book) Object.assign(book, { available: book.available - amount, issued: book.issued + amount });
    gift.state = 'ISSUED';
    return 'done';
  }

  #claim({ gift: nth }: Step): number | null {
    const gift = this.#gifts[nth % Math.max(this.#gifts.length, 1)];
    if (!gift) return null;
    if (gift.state !== 'ISSUED') return 0;
    gift.state = 'CLAIMED';
    return 1;
  }

  #redeem({ gift: nth, amount: asked, option }: Step): string | null {
    const gift = this.#gifts[nth % Math.max(this.#gifts.length, 1)];
    if (!gift) return null;
    if (gift.state !== 'CLAIMED') return 'conflict';
    const left = gift.amount - gift.spent;
    const amount = asked === null ? left : cents(asked);
    if (left === 0 || amount > left) return 'overBudget';
    this.#spend(gift, amount);
    this.#redemptions.push({ gift, amount, state: option === 'charity' ? 'REQUESTED' : 'DONE' });
    return 'done';
  }

  #finish({ do: what, redemption: nth }: Step): string | null {
    const redemption = this.#redemptions[nth % Math.max(this.#redemptions.length, 1)];
    if (!redemption) return null;
    const [after, before] = endings[what as keyof typeof endings];
    if (redemption.state === after) return 'done';
    if (redemption.state !== before) return 'conflict';
    redemption.state = after;
    if (after !== 'DONE') this.#spend(redemption.gift, -redemption.amount);
    return 'done';
  }

  #spend(gift: ModelGift, amount: number): void {
    gift.spent += amount;
    if (gift.book)
      Object.assign(gift.book, { issued: gift.book.issued - amount, redeemed: gift.book.redeemed + amount });
  }

  #end(gift: ModelGift, state: ModelGift['state']): void {
    assert.equal(gift.state, 'ISSUED');
    gift.state = state;
    if (gift.book) {
      gift.book.available += gift.amount;
      gift.book.issued -= gift.amount;
    }
  }
}
