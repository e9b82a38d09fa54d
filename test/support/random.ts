/** A small generator (mulberry32): the same seed gives the same numbers everywhere. */
export class Random {
  readonly #seed: number;
  #state: number;

  constructor(seed: number) {
    this.#seed = seed >>> 0;
    this.#state = this.#seed;
  }

  /** An independent stream under a name. */
  fork(name: string): Random {
    let hash = this.#seed ^ 0x811c9dc5;
    for (const letter of name) hash = Math.imul(hash ^ (letter.codePointAt(0) as number), 0x01000193);
    return new Random(hash);
  }

  /** From 0 to less than 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  }

  /** A whole number, both ends included. */
  int(from: number, to: number): number {
    return from + Math.floor(this.next() * (to - from + 1));
  }

  chance(share: number): boolean {
    return this.next() < share;
  }

  pick<T>(list: readonly T[]): T {
    return list[this.int(0, list.length - 1)] as T;
  }

  /** The same items in another order. */
  shuffled<T>(items: readonly T[]): T[] {
    return items
      .map((item) => ({ item, at: this.int(0, 0xffffff) }))
      .sort((a, b) => a.at - b.at)
      .map(({ item }) => item);
  }
}
