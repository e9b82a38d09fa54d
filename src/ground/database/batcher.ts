import { isUnavailable, unavailable } from '../errors.ts';

export interface BatcherOptions<In, Out> {
  /** Handles all items together; its results are in the order of the items. */
  run: (items: In[]) => Promise<Out[]>;
  maxItems: number;
  /** How many batches may be under way at once. */
  concurrency: number;
  /** A further item is refused when this many wait: an unbounded queue would only hide an overload. */
  maxWaiting: number;
  /** The size of an item, if the sizes of a batch and of the queue are limited too. */
  weigh?: (item: In) => number;
  maxWeight?: number;
  maxWaitingWeight?: number;
  /** An item that has waited longer is refused and not begun, because its caller was promised an answer in time. */
  maxWaitMs?: number;
}

interface Entry<In, Out> {
  item: In;
  weight: number;
  since: number;
  resolve: (out: Out) => void;
  reject: (error: unknown) => void;
}

/** Callers that wait at the same time share one round trip (group commit, coalesced reads). */
export class Batcher<In, Out> {
  readonly #options: BatcherOptions<In, Out>;
  #waiting: Entry<In, Out>[] = [];
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
    // At the end of this turn of the event loop, so that all items that arrive in it share the batch.
    setImmediate(() => {
      this.#scheduled = false;
      this.#runWaiting();
    });
  }

  #runWaiting(): void {
    while (this.#waiting.length > 0 && this.#running < this.#options.concurrency) void this.#runNext();
  }

  async #runNext(): Promise<void> {
    const batch = this.#take();
    if (batch.length === 0) return;
    this.#running++;
    const results = await this.#resultsOf(batch).finally(() => this.#running--);
    // Before the callers get their results: the database works on the next batch while this process answers them.
    this.#runWaiting();
    results?.forEach((result, index) => {
      batch[index]?.resolve(result);
    });
  }

  #take(): Entry<In, Out>[] {
    const { maxItems, maxWeight = Number.POSITIVE_INFINITY, maxWaitMs = Number.POSITIVE_INFINITY } = this.#options;
    const oldest = performance.now() - maxWaitMs;
    const tooLate = this.#waiting.findIndex(({ since }) => since >= oldest);
    for (const { reject } of this.#remove(tooLate < 0 ? this.#waiting.length : tooLate)) reject(unavailable());
    let count = 0;
    let weight = 0;
    while (count < this.#waiting.length && count < maxItems) {
      weight += (this.#waiting[count] as Entry<In, Out>).weight;
      if (count > 0 && weight > maxWeight) break;
      count++;
    }
    return this.#remove(count);
  }

  #remove(count: number): Entry<In, Out>[] {
    const removed = this.#waiting.splice(0, count);
    for (const { weight } of removed) this.#waitingWeight -= weight;
    return removed;
  }

  /** Null if the batch has failed. Then every item of it has been settled. */
  async #resultsOf(batch: Entry<In, Out>[]): Promise<Out[] | null> {
    try {
      return await this.#options.run(batch.map(({ item }) => item));
    } catch (error) {
      if (isUnavailable(error) || batch.length === 1) this.#refuse(batch, error);
      else await this.#settleEach(batch);
      return null;
    }
  }

  /** Runs each item alone, so that only the failing item fails. */
  async #settleEach(batch: Entry<In, Out>[]): Promise<void> {
    for (const [index, entry] of batch.entries()) {
      try {
        const [result] = await this.#options.run([entry.item]);
        entry.resolve(result as Out);
      } catch (error) {
        if (isUnavailable(error)) return this.#refuse(batch.slice(index), error);
        entry.reject(error);
      }
    }
  }

  #refuse(batch: Entry<In, Out>[], error: unknown): void {
    // The waiting items would fail in the same way, one time-out later.
    const behind = isUnavailable(error) ? this.#remove(this.#waiting.length) : [];
    for (const { reject } of [...batch, ...behind]) reject(error);
  }
}
