import assert from 'node:assert/strict';

interface Book {
  isOpen: boolean;
  giftLimit: number | null;
  available: number;
  committed: number;
  issued: number;
}

interface ModelOrder {
  book: Book | null;
  amounts: number[];
  fails: boolean;
}

interface ModelGift {
  book: Book | null;
  amount: number;
  state: 'ISSUED' | 'EXPIRED' | 'CANCELLED';
  isForGood: boolean;
}

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

  balances(owner: string): number[] {
    const { available, committed, issued } = this.#books.get(owner) as Book;
    return [available / 100, committed / 100, issued / 100, 0];
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
    const book = known ?? { isOpen: true, giftLimit: null, available: 0, committed: 0, issued: 0 };
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
      const issued = amounts.map((amount): ModelGift => ({ book, amount, state: 'ISSUED', isForGood: true }));
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

  #end(gift: ModelGift, state: ModelGift['state']): void {
    assert.equal(gift.state, 'ISSUED');
    gift.state = state;
    if (gift.book) {
      gift.book.available += gift.amount;
      gift.book.issued -= gift.amount;
    }
  }
}
