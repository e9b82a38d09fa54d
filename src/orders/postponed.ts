const firstPauseMs = 250;
const longestPauseMs = 60_000;

/**
 * Orders of a workspace that could not be fulfilled for now, and when each is tried again: after growing pauses. Kept in
 * memory, by a clock that nobody sets: a restart tries them all at once.
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

  /** By whether their pause is over: those to try again, and those to pass over. */
  split(): { due: number[]; notYet: number[] } {
    const now = performance.now();
    const { due = [], notYet = [] } = Object.groupBy(this.#orders, ([, order]) =>
      order.due <= now ? 'due' : 'notYet',
    );
    return { due: due.map(([number]) => number), notYet: notYet.map(([number]) => number) };
  }

  /** The one that is due first, and how long that takes. */
  next(): { number: number; afterMs: number } | null {
    const [first] = [...this.#orders].sort(([, a], [, b]) => a.due - b.due);
    return first ? { number: first[0], afterMs: Math.max(0, first[1].due - performance.now()) } : null;
  }
}
