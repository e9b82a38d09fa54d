import { Failure, unavailable } from '../errors.ts';

export interface BatcherOptions<In, Out> {
  /** Handles all items together; its results are in the order of the items. */
  run: (items: In[]) => Promise<Out[]>;
  maxItems: number;
  /** How many batches may be under way at once. */
  concurrency: number;
  /** Beyond this many waiting items, a further one is refused: a queue without a bound only hides an overload. */
  maxWaiting: number;
  /** The size of an item, where a batch and the queue are also bounded by its sum. */
  weigh?: (item: In) => number;
  maxWeight?: number;
  maxWaitingWeight?: number;
  /** An item that has waited longer is refused rather than begun: its caller was promised an answer. */
  maxWaitMs?: number;
}

interface Waiting<In, Out> {
  item: In;
  weight: number;
  since: number;
  resolve: (out: Out) => void;
  reject: (error: unknown) => void;
}

/** Callers that wait at the same time share one round trip (group commit, coalesced reads). */
export class Batcher<In, Out> {
  readonly #options: BatcherOptions<In, Out>;
  #waiting: Waiting<In, Out>[] = [];
  #waitingWeight = 0;
  #running = 0;
  #scheduled = false;

  constructor(options: BatcherOptions<In, Out>) {
    this.#options = options;
  }

  add(item: In): Promise<Out> {
    const { maxWaiting, weigh, maxWaitingWeight = Number.POSITIVE_INFINITY } = this.#options;
    const weight = weigh?.(item) ?? 0;
    const isFull = this.#waiting.length >= maxWaiting || this.#waitingWeight + weight > maxWaitingWeight;
    if (isFull) return Promise.reject(unavailable());
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, weight, since: performance.now(), resolve, reject });
      this.#waitingWeight += weight;
      this.#schedule();
    });
  }

  #schedule(): void {
    if (this.#scheduled || this.#running >= this.#options.concurrency) return;
    this.#scheduled = true;
    // The end of this turn of the event loop: whatever has arrived by then goes along.
    setImmediate(() => {
      this.#scheduled = false;
      while (this.#waiting.length > 0 && this.#running < this.#options.concurrency) void this.#runNext();
    });
  }

  async #runNext(): Promise<void> {
    const batch = this.#take();
    if (batch.length === 0) return;
    this.#running++;
    try {
      await this.#settle(batch);
    } finally {
      this.#running--;
      if (this.#waiting.length > 0) this.#schedule();
    }
  }

  #take(): Waiting<In, Out>[] {
    const { maxItems, maxWeight = Number.POSITIVE_INFINITY, maxWaitMs = Number.POSITIVE_INFINITY } = this.#options;
    const oldest = performance.now() - maxWaitMs;
    const tooLate = this.#waiting.findIndex(({ since }) => since >= oldest);
    for (const { reject } of this.#remove(tooLate < 0 ? this.#waiting.length : tooLate)) reject(unavailable());
    let count = 0;
    let weight = 0;
    while (count < this.#waiting.length && count < maxItems) {
      weight += (this.#waiting[count] as Waiting<In, Out>).weight;
      if (count > 0 && weight > maxWeight) break;
      count++;
    }
    return this.#remove(count);
  }

  #remove(count: number): Waiting<In, Out>[] {
    const removed = this.#waiting.splice(0, count);
    for (const { weight } of removed) this.#waitingWeight -= weight;
    return removed;
  }

  /** False where the database is away, and nobody is left waiting. */
  async #settle(batch: Waiting<In, Out>[], behind: Waiting<In, Out>[] = []): Promise<boolean> {
    try {
      const results = await this.#options.run(batch.map(({ item }) => item));
      batch.forEach(({ resolve }, index) => {
        resolve(results[index] as Out);
      });
      return true;
    } catch (error) {
      if (error instanceof Failure && error.kind === 'unavailable') {
        // What is waiting would run into the same wall, one timeout later.
        for (const { reject } of [...batch, ...behind, ...this.#remove(this.#waiting.length)]) reject(error);
        return false;
      }
      if (batch.length > 1) return this.#settleEach(batch);
      batch[0]?.reject(error);
      return true;
    }
  }

  /** One item is at fault, its neighbours are not: each gets a run of its own. */
  async #settleEach(batch: Waiting<In, Out>[]): Promise<boolean> {
    for (const [index, waiting] of batch.entries())
      if (!(await this.#settle([waiting], batch.slice(index + 1)))) return false;
    return true;
  }
}
