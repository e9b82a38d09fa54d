const firstPauseMs = 250;
const longestPauseMs = 60_000;

/**
 * Orders of a workspace that could not be fulfilled, and when each is tried again. The pauses grow with each attempt. They
 * are kept in memory and measured by the monotonic clock. A restart tries all orders at once.
 */
export class Postponed {
  readonly #orders = new Map<number, { attempts: number; due: number }>();

  add(number: number): void {
    const attempts = (this.#orders.get(number)?.attempts ?? 0) + 1;
    const pauseMs = Math.min(longestPauseMs, firstPauseMs * 2 ** (attempts - 1));
    this.#orders.set(number, { attempts, due: performance.now() + pauseMs });
  }

  forget(number: number): void {
    this.#orders.delete(number);
  }

  /** Splits the orders into those whose pause is over and those to skip. */
  split(): { due: number[]; notYet: number[] } {
    const now = performance.now();
    const { due = [], notYet = [] } = Object.groupBy(this.#orders, ([, order]) =>
      order.due <= now ? 'due' : 'notYet',
    );
    return { due: due.map(([number]) => number), notYet: notYet.map(([number]) => number) };
  }

  /** The order that is due first, and the time until then. */
  next(): { number: number; afterMs: number } | null {
    const [first] = [...this.#orders].sort(([, a], [, b]) => a.due - b.due);
    return first ? { number: first[0], afterMs: Math.max(0, first[1].due - performance.now()) } : null;
  }
}
